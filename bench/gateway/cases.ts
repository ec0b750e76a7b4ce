import type { Load } from '../measure/load.ts';

/** One table of the report: the same load on several targets, interleaved. */
export interface Case {
	readonly name: string;
	readonly title: string;
	/** Names of targets; unavailable ones are skipped. The others are compared with the first. */
	readonly targets: readonly string[];
	/** Number of different tokens, used in rotation; 0 = no Authorization. */
	readonly tokens: number;
	readonly load: Omit<Load, 'tokens'>;
	/** Another load on the same targets in the same rounds; each result has this name after the target's. */
	readonly other?: { readonly name: string; readonly load: Omit<Load, 'tokens'> };
	/** Share (0–1) of the first target's throughput in the round that is requested, by pauses; default: full load. */
	readonly loadShare?: number;
	/** Multiplies the duration of each round: tail latencies need many requests. */
	readonly durationFactor?: number;
	/** A guarantee depends on it: measured in more rounds, so that the median is robust against slow moments. */
	readonly isGuaranteed?: boolean;
	/** Many short rounds in place of a few long ones: for a difference of a few percent. */
	readonly isFine?: boolean;
	/** Measured in several blocks of rounds, each with new processes: the difference is not the same in all of them. */
	readonly isByBlocks?: boolean;
	/** Added to the requests of the warm-up, so that rarely used code is compiled when the rounds begin. */
	readonly warmUpHeaders?: Readonly<Record<string, string>>;
}

const get: Case['load'] = {
	method: 'GET',
	path: '/api/horses/small',
	headers: { Accept: 'application/json' },
	body: undefined,
	connections: 64,
	pauseMs: 0,
	status: 200,
};

const postBody = JSON.stringify({ name: 'Äpfelchen', notes: 'x'.repeat(980) });

const peers = ['gateway', 'fastify'];

const connections = (count: number): Case => ({
	name: `connections-${count}`,
	title: `GET 480 bytes, ${count} connection${count === 1 ? '' : 's'}`,
	targets: peers,
	tokens: 1,
	load: { ...get, connections: count },
});

/** The base case, with which others are compared. */
export const plainGet: Case = {
	name: 'get',
	title: 'GET 480 bytes',
	targets: ['gateway', 'fastify', 'nginx', 'haproxy', 'direct'],
	tokens: 1,
	load: get,
	isGuaranteed: true,
};

const postCase: Case = {
	name: 'post',
	title: 'POST 1 KB',
	targets: peers,
	tokens: 1,
	load: {
		...get,
		method: 'POST',
		path: '/api/horses',
		headers: { ...get.headers, 'Content-Type': 'application/json' },
		body: postBody,
		status: 201,
	},
	isGuaranteed: true,
};

/** Equal processes differ by some percent for as long as they run. */
export const equalGateways = ['gateway', 'gateway-twin', 'gateway-third'] as const;
/** Without traces and with traces, in one process. */
export const tracesPair = ['gateway, traces off', 'gateway, traces on'] as const;
/** Both without traces, in one process. */
export const equalPair = ['gateway, off', 'gateway, off as well'] as const;
/** The name of the other load of `post-to-get`. */
export const postToGet = 'POST';

export const gatewayCases: readonly Case[] = [
	plainGet,
	{
		name: 'half-load',
		title: 'GET 480 bytes at half load',
		targets: ['gateway', 'direct'],
		tokens: 1,
		load: get,
		loadShare: 0.5,
		durationFactor: 3,
		isGuaranteed: true,
	},
	{
		name: 'get-large',
		title: 'GET 50 KB',
		targets: peers,
		tokens: 1,
		load: { ...get, path: '/api/horses/large' },
	},
	postCase,
	{ name: 'unauthenticated', title: '401', targets: peers, tokens: 0, load: { ...get, status: 401 } },
	{
		name: 'not-found',
		title: '404',
		targets: peers,
		tokens: 1,
		load: { ...get, path: '/nothing', status: 404 },
	},
	{
		name: 'not-modified',
		title: 'public GET, ETag, 304',
		targets: peers,
		tokens: 0,
		load: {
			...get,
			path: '/api/masterdata/countries',
			// Past the response cache, which forwards no condition of a client.
			headers: { ...get.headers, 'If-None-Match': '"1"', 'Cache-Control': 'no-store' },
			status: 304,
		},
	},
	{
		name: 'tokens',
		title: 'GET 480 bytes, 10 000 tokens',
		targets: peers,
		tokens: 10_000,
		load: get,
		isGuaranteed: true,
	},
	{
		name: 'instances',
		title: 'GET 480 bytes, 1 / 10 / 50 instances',
		targets: ['gateway', 'gateway-10', 'gateway-50'],
		tokens: 1,
		load: get,
		isGuaranteed: true,
	},
	{
		name: 'contexts',
		title: 'GET 480 bytes, 3 / 6 contexts',
		targets: ['gateway', 'gateway-6-contexts'],
		tokens: 1,
		load: get,
	},
	{
		name: 'post-to-get',
		title: 'GET 480 bytes / POST 1 KB of the same processes',
		targets: equalGateways,
		tokens: 1,
		load: get,
		other: { name: postToGet, load: postCase.load },
		isFine: true,
	},
	connections(1),
	connections(512),
	{
		name: 'traces',
		title: 'GET 480 bytes, traces off / 1 % sampled',
		targets: [...tracesPair, ...equalPair],
		tokens: 1,
		load: get,
		isByBlocks: true,
		// With 1 % sampled, the code of recorded requests would be compiled during the whole measurement.
		warmUpHeaders: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
	},
];

/** The gateway and other gateways on one core each. */
export function peerCases(names: readonly string[]): readonly Case[] {
	const targets = ['gateway', 'fastify', ...names, 'nginx', 'haproxy', 'direct'];
	return [
		{ ...plainGet, targets },
		{ ...postCase, targets },
		// All at the same rate, far below the throughput of each.
		{
			...plainGet,
			name: 'steady',
			title: `GET 480 bytes, all at ${steadyShare * 100} % of the gateway's throughput`,
			targets,
			loadShare: steadyShare,
			durationFactor: 2,
		},
	];
}

const steadyShare = 0.2;
