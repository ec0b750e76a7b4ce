import cluster, { type Worker } from 'node:cluster';
import { Transform, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createRestartDelay } from '@paddock/resilience';
import { StartFailure } from '@paddock/service';
import { type Logger, standardOutput } from '@paddock/telemetry';

interface WorkerForksDeps {
	readonly size: number;
	readonly logger: Logger;
	readonly onFork: (worker: Worker) => void;
	readonly onExit: (worker: number) => void;
	readonly random: () => number;
}

const backoff = { backoffMinMs: 100, backoffMaxMs: 30_000 };
// After the drain and the open requests, a worker flushes its log and traces.
const lastStepsMs = 2_000;
// A blocked output must not delay the exit for longer.
const outputTimeoutMs = 1_000;
const lineEnd = 0x0a;

/** Starts workers and restarts them with back-off. All accept from one socket that this process keeps open (docs/decisions/0038). */
export function openWorkerForks({ size, logger, onFork, onExit, random }: WorkerForksDeps) {
	const running = new Map<number, { readonly worker: Worker; readonly ended: Promise<unknown> }>();
	const stopping = new AbortController();
	const log = sharedLog();
	const restartDelayMs = createRestartDelay({ ...backoff, random });
	let started = false;
	const stop = (): void => {
		if (stopping.signal.aborted) return;
		stopping.abort();
		for (const { worker } of running.values()) worker.process.kill('SIGTERM');
	};
	cluster.schedulingPolicy = cluster.SCHED_NONE;
	cluster.setupPrimary({ serialization: 'advanced', stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
	const fork = (): Worker => {
		const worker = cluster.fork();
		const startedMs = performance.now();
		const { stdout } = worker.process;
		stdout?.pipe(wholeLines()).pipe(log, { end: false });
		running.set(worker.id, { worker, ended: ended(worker) });
		onFork(worker);
		const exited = (exit: object): void => {
			if (!running.delete(worker.id)) return;
			onExit(worker.id);
			if (!stopping.signal.aborted && started)
				void replace('worker exited', { worker: worker.id, ...exit }, performance.now() - startedMs);
		};
		worker.once('exit', (code, signal) => exited({ code, signal }));
		worker.on('error', (error) => {
			// A process that the system could not start has no exit.
			if (worker.process.pid === undefined) exited({ error });
			else logger.error('worker process', { worker: worker.id, error });
		});
		return worker;
	};
	const replace = async (event: string, details: object, ranMs: number): Promise<void> => {
		const pauseMs = Math.round(restartDelayMs(ranMs));
		logger.error(event, { ...details, replacedInMs: pauseMs });
		await wait(pauseMs, undefined, { signal: stopping.signal }).then(replacement, () => undefined);
	};
	const replacement = (): void => {
		try {
			fork();
		} catch (error) {
			// Node.js throws some errors of the system, e.g. ENOMEM, and emits others.
			void replace('worker not started', { error }, 0);
		}
	};
	return {
		/** Their port; resolves when all of them listen. @throws StartFailure */
		start: async () => {
			// The first alone: if it can't start, none can, and its reason is printed once.
			const port = await listening(fork());
			started = true;
			await Promise.all(Array.from({ length: size - 1 }, () => listening(fork())));
			return port;
		},
		/** Lets all of them drain. */
		announceClose: stop,
		/** Resolves when all have exited; kills those that take longer. */
		close: async (timeoutMs: number) => {
			stop();
			const all = [...running.values()];
			const kill = setTimeout(() => {
				for (const { worker } of all) worker.process.kill('SIGKILL');
			}, timeoutMs + lastStepsMs);
			await Promise.all(all.map(({ ended }) => ended));
			clearTimeout(kill);
		},
	};
}

/** @returns the port */
async function listening(worker: Worker): Promise<number> {
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	worker.once('listening', ({ port }) => resolve(port));
	worker.once('error', reject);
	worker.once('exit', (code, signal) => {
		reject(new StartFailure(`worker ${worker.id} did not start: ${signal ?? `exit code ${code}`}`));
	});
	return await promise;
}

/** Resolves when the process has exited and its output has been passed on. */
async function ended({ process }: Worker): Promise<void> {
	const closed = new Promise((resolve) => process.once('close', resolve));
	await new Promise((resolve) => process.once('exit', resolve));
	await Promise.race([closed, wait(outputTimeoutMs)]);
}

/** One stream to stdout for all workers; while stdout is blocked, so are they, and drop lines of their own. It never fails. */
function sharedLog(): Writable {
	const output = standardOutput();
	return new Writable({
		write: (lines: Buffer, _encoding, done) => output.write(lines, () => done()),
	}).setMaxListeners(0);
}

/** Passes on whole lines: the kernel may interleave large writes of several processes. */
function wholeLines(): Transform {
	let part: Buffer[] = [];
	return new Transform({
		transform: (chunk: Buffer, _encoding, done) => {
			const end = chunk.lastIndexOf(lineEnd) + 1;
			if (end === 0) {
				part.push(chunk);
				done();
				return;
			}
			const lines =
				part.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...part, chunk.subarray(0, end)]);
			part = end === chunk.length ? [] : [chunk.subarray(end)];
			done(null, lines);
		},
		flush: (done) => {
			if (part.length === 0) done();
			else done(null, Buffer.concat([...part, Buffer.from('\n')]));
		},
	});
}
