import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Load, LoadResult } from './load.ts';

const execute = promisify(execFile);

interface Summary {
	requests: number;
	durationUs: number;
	p50Us: number;
	p99Us: number;
	p999Us: number;
	broken: number;
	/** Responses with a status of 400 or higher. */
	refused: number;
}

/**
 * Threads for a load with pauses. wrk's timer has a resolution of 1 ms, so one thread sends all requests of a millisecond
 * in a burst, which raises the measured latency. Several threads with independent pauses spread the requests.
 */
const pausingThreads = 8;

/** Generates load with wrk, which uses the least CPU of the core that it shares with the upstream. @throws if wrk fails */
export async function wrkLoad(origin: string, load: Load, seconds: number): Promise<LoadResult> {
	const directory = await mkdtemp(join(tmpdir(), 'bench-'));
	try {
		const script = join(directory, 'load.lua');
		await writeFile(join(directory, 'tokens'), load.tokens.join('\n'));
		await writeFile(script, luaScript(load, join(directory, 'tokens')));
		const threads = load.pauseMs === 0 ? 1 : Math.min(pausingThreads, load.connections);
		const counts = [`-t${threads}`, `-c${load.connections}`, `-d${seconds}s`];
		const args = [...counts, '--timeout', '10s', '-s', script, origin];
		const { stdout } = await execute('wrk', args, { maxBuffer: 10_000_000 });
		const summary = JSON.parse(stdout.slice(stdout.lastIndexOf('{"requests"'))) as Summary;
		const unexpected = load.status >= 400 ? summary.requests - summary.refused : summary.refused;
		return {
			requests: summary.requests,
			seconds: summary.durationUs / 1e6,
			p50Ms: summary.p50Us / 1e3,
			p99Ms: summary.p99Us / 1e3,
			p999Ms: summary.p999Us / 1e3,
			errors: summary.broken + unexpected,
		};
	} finally {
		await rm(directory, { recursive: true });
	}
}

/** The Lua script of wrk; it formats all requests before the first one is sent. */
function luaScript(load: Load, tokensFile: string): string {
	const headers = Object.entries(load.headers).map(([name, value]) => `[${lua(name)}] = ${lua(value)}`);
	const body = load.body === undefined ? 'nil' : lua(load.body);
	const pause =
		load.pauseMs === 0 ? '' : `function delay() return math.random(0, ${Math.round(2 * load.pauseMs)}) end\n`;
	return `local requests, at, threads = {}, 0, 0
function setup(thread)
	threads = threads + 1
	thread:set("number", threads)
end
function init(args)
	math.randomseed(number)
	local function add(token)
		local headers = { ${headers.join(', ')} }
		if token then headers["Authorization"] = "Bearer " .. token end
		requests[#requests + 1] = wrk.format(${lua(load.method)}, ${lua(load.path)}, headers, ${body})
	end
	for token in io.lines(${lua(tokensFile)}) do add(token) end
	if #requests == 0 then add(nil) end
end
function request()
	at = at % #requests + 1
	return requests[at]
end
${pause}function done(summary, latency)
	local errors = summary.errors
	io.write(string.format('{"requests":%d,"durationUs":%d,"p50Us":%f,"p99Us":%f,"p999Us":%f,"broken":%d,"refused":%d}',
		summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
		errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
`;
}

// For these texts the escapes of JSON are valid in Lua.
function lua(text: string): string {
	return JSON.stringify(text);
}
