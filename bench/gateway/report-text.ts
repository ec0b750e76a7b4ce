import { claimsOf, type GatewayReport, spread } from './claims.ts';
import { figureOf, ratio, roundsOf } from './figures.ts';
import { type CaseResult, type Measurement, oneTokenName } from './run-case.ts';

/** The report of one run in Markdown, for the terminal and docs/performance.md. */
export function reportText(report: GatewayReport): string {
	const machine = Object.entries(report.machine).map(([name, value]) => `${name} ${value}`);
	return [
		`Measured ${report.at}: ${machine.join(', ')}.`,
		'',
		...claimTable(report),
		...report.cases.flatMap(caseTable),
		...(report.wholeSystem === undefined ? [] : caseTable(report.wholeSystem.result)),
		...wholeSystemLines(report),
		...streamLines(report),
		...longRunLines(report),
		...growthLines(report),
	].join('\n');
}

function claimTable(report: GatewayReport): string[] {
	const claims = claimsOf(report);
	const rows = claims.map(
		({ guarantee, measured, holds }) => `| ${guarantee} | ${measured} | ${holds ? 'yes' : 'NO'} |`,
	);
	return ['| guarantee | measured | holds |', '|---|---|---|', ...rows, ''];
}

/** One table: each target's medians, and their ratio to the first target, round by round. */
export function caseTable(result: CaseResult): string[] {
	const [compared] = result.targets;
	const rows = result.targets.map(({ name, rounds }) => {
		const median = (of: (measurement: Measurement) => number): number => figureOf(rounds.map(of)).median;
		const pair = [compared?.name ?? '', name] as const;
		const rates =
			name === compared?.name ? '' : spread(ratio(result, pair, (each) => each.requestsPerSecond));
		const cpus =
			name === compared?.name ? '' : spread(ratio(result, pair, (each) => each.cpuMicrosecondsPerRequest));
		const cells = [
			name,
			Math.round(median((each) => each.requestsPerSecond)),
			median((each) => each.cpuMicrosecondsPerRequest).toFixed(1),
			median((each) => each.p50Ms).toFixed(2),
			median((each) => each.p99Ms).toFixed(2),
			median((each) => each.p999Ms).toFixed(2),
			Math.round(median((each) => each.residentMb)),
			rounds.reduce((sum, each) => sum + each.errors, 0),
			rates,
			cpus,
		];
		return `| ${cells.join(' | ')} |`;
	});
	const head = `| target | requests/s | CPU µs/request | p50 ms | p99 ms | p99.9 ms | memory MB | errors | ${compared?.name ?? ''} ÷ target: requests/s | CPU |`;
	return [`**${result.title}**`, '', head, '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|', ...rows, ''];
}

function wholeSystemLines({ wholeSystem }: GatewayReport): string[] {
	if (wholeSystem === undefined) return [];
	const { gateway, service, database, gatewayParts, serviceParts } = wholeSystem.cost;
	return [
		'CPU time of one such request by part:',
		'',
		'| | µs |',
		'|---|--:|',
		`| **gateway** | **${gateway.toFixed(0)}** |`,
		...partLines(gatewayParts),
		`| **service** | **${service.toFixed(0)}** |`,
		...partLines(serviceParts),
		`| **database**, all processes | **${database.toFixed(0)}** |`,
		'',
	];
}

function partLines(parts: Readonly<Record<string, number>>): string[] {
	return Object.entries(parts).map(([name, microseconds]) => `| ${name} | ${microseconds.toFixed(0)} |`);
}

function streamLines({ streaming }: GatewayReport): string[] {
	if (streaming.length === 0) return [];
	const rows = streaming.map(
		({ direction, megabytes, seconds, growthMb }) =>
			`| ${direction} | ${Math.round(megabytes)} | ${(megabytes / seconds).toFixed(0)} | ${growthMb.toFixed(1)} |`,
	);
	return [
		'**Streaming**',
		'',
		'| direction | MB | MB/s | memory growth MB |',
		'|---|--:|--:|--:|',
		...rows,
		'',
	];
}

function longRunLines({ longRun }: GatewayReport): string[] {
	if (longRun === undefined) return [];
	const rows = longRun.points.map(
		({ requests, residentMb, retainedMb }) =>
			`| ${requests} | ${residentMb.toFixed(1)} | ${retainedMb.toFixed(1)} |`,
	);
	return [
		'**Memory over time**',
		'',
		'| requests | resident MB | after garbage collection |',
		'|--:|--:|--:|',
		...rows,
		'',
	];
}

/** CPU per request with more connections, tokens, contexts or instances, relative to the base case. */
function growthLines({ cases }: GatewayReport): string[] {
	const costOf = (name: string, target = 'gateway'): number => {
		const result = cases.find((each) => each.name === name);
		return figureOf(roundsOf(result, target).map((each) => each.cpuMicrosecondsPerRequest)).median;
	};
	const plain = costOf('get');
	const rows = [
		['1 connection instead of 64', costOf('connections-1') / plain],
		['512 connections instead of 64', costOf('connections-512') / plain],
		['10 000 tokens instead of 1', costOf('tokens') / costOf('tokens', oneTokenName)],
		['6 contexts instead of 3', costOf('contexts', 'gateway-6-contexts') / costOf('contexts')],
		['10 instances instead of 1', costOf('instances', 'gateway-10') / costOf('instances')],
		['50 instances instead of 1', costOf('instances', 'gateway-50') / costOf('instances')],
	] as const;
	const known = rows.filter(([, cost]) => Number.isFinite(cost));
	if (known.length === 0) return [];
	const lines = known.map(([change, cost]) => `| ${change} | ${cost.toFixed(2)} |`);
	return ['**Scaling**', '', '| change | CPU per request × |', '|---|--:|', ...lines, ''];
}
