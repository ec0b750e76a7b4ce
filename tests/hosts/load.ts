import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';

export interface LoadOptions {
	readonly host: string;
	readonly port: number;
	/** Certificate of the proxy (PEM). */
	readonly certificate: string;
	readonly token: string;
	readonly getsPerSecond: number;
	readonly postsPerSecond: number;
}

export interface Outcome {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	/** When the response or the failure arrived, by performance.now(). */
	readonly atMs: number;
	readonly durationMs: number;
	/** 0 = no response. */
	readonly status: number;
	/** The start of the body or the error, unless it succeeded. */
	readonly cause: string;
}

export interface HostsLoad {
	/** All attempts so far. */
	readonly outcomes: readonly Outcome[];
	/** First names of the members to be created, and whether a POST of each was acknowledged. */
	readonly ledger: ReadonlyMap<string, boolean>;
	/** Stops sending; resolves when each POST has been acknowledged or abandoned. */
	stop(): Promise<void>;
}

const gets = [
	'/api/masterdata/countries/by-code/AUT',
	'/api/members?size=5',
	'/api/horses?size=5',
	'/api/events?size=5',
	'/auth/profile',
	'/api/ping',
];
const timeoutMs = 20_000;
const giveUpMs = 90_000;

/** Sends GETs and POSTs at constant rates, however long responses take. A POST is repeated with its key until it is acknowledged. */
export function startHostsLoad(options: LoadOptions): HostsLoad {
	const agent = new Agent({ keepAlive: true, ca: options.certificate, servername: 'localhost' });
	const outcomes: Outcome[] = [];
	const ledger = new Map<string, boolean>();
	const underWay = new Set<Promise<unknown>>();
	const send = async (method: 'GET' | 'POST', path: string, key = '', body = ''): Promise<Outcome> => {
		const outcome = await call({ ...options, agent }, { method, path, key, body });
		outcomes.push(outcome);
		return outcome;
	};
	const post = async (): Promise<void> => {
		const [key, firstName] = [randomUUID(), inventedName()];
		ledger.set(firstName, false);
		const endMs = performance.now() + giveUpMs;
		while (performance.now() < endMs) {
			const { status } = await send('POST', '/api/members', key, JSON.stringify(newMember(firstName)));
			if (status === 201) {
				ledger.set(firstName, true);
				return;
			}
			await wait(500);
		}
	};
	const track = (sent: Promise<unknown>): void => {
		underWay.add(sent);
		void sent.then(() => underWay.delete(sent));
	};
	let turn = 0;
	const timers = [
		pace(options.getsPerSecond, () => {
			turn += 1;
			track(send('GET', gets[turn % gets.length] ?? ''));
		}),
		pace(options.postsPerSecond, () => track(post())),
	];
	return {
		outcomes,
		ledger,
		stop: async () => {
			for (const timer of timers) clearInterval(timer);
			await Promise.all(underWay);
			agent.destroy();
		},
	};
}

function pace(perSecond: number, send: () => void): NodeJS.Timeout {
	const startedAtMs = performance.now();
	let sent = 0;
	return setInterval(() => {
		const due = ((performance.now() - startedAtMs) * perSecond) / 1_000;
		for (; sent < due; sent += 1) send();
	}, 10);
}

function call(
	{ host, port, token, agent }: LoadOptions & { readonly agent: Agent },
	{ method, path, key, body }: { method: 'GET' | 'POST'; path: string; key: string; body: string },
): Promise<Outcome> {
	const startedAtMs = performance.now();
	const headers = {
		Authorization: `Bearer ${token}`,
		...(method === 'POST' ? { 'Content-Type': 'application/json', 'Idempotency-Key': key } : {}),
	};
	return new Promise((resolve) => {
		const end = (status: number, cause: string): void => {
			const atMs = performance.now();
			resolve({ method, path, atMs, durationMs: atMs - startedAtMs, status, cause: cause.slice(0, 200) });
		};
		const sent = request({ host, port, path, method, headers, agent, timeout: timeoutMs }, (res) => {
			let text = '';
			res.setEncoding('utf8').on('data', (chunk: string) => {
				text += chunk;
			});
			res.once('error', (error) => end(0, String(error)));
			res.once('end', () => end(res.statusCode ?? 0, (res.statusCode ?? 0) < 300 ? '' : text));
		});
		sent.once('timeout', () => sent.destroy(new Error(`no response within ${timeoutMs} ms`)));
		sent.once('error', (error) => end(0, String(error)));
		sent.end(body);
	});
}

/** A name of letters only, different each time. */
function inventedName(): string {
	const letters = randomUUID()
		.replaceAll(/[^a-f0-9]/g, '')
		.replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
	return `Q${letters}`;
}

function newMember(firstName: string): Record<string, string> {
	return { firstName, lastName: firstName.slice(1, 20), dateOfBirth: '1985-03-14' };
}
