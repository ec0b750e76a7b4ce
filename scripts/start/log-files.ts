import {
	closeSync,
	fstatSync,
	ftruncateSync,
	openSync,
	readSync,
	rmSync,
	statSync,
	writeSync,
} from 'node:fs';

const logBytesMax = 20_000_000;
const checkEveryMs = 1_000;
/** Until a failed rotation is tried again. */
const retryMs = 60_000;
const chunkBytes = 1_048_576;

/** Opens a log file, or `ignore` for a process without a log: a full disk must not prevent a restart. */
export function openLog(file: string, report: (line: string) => void): number | 'ignore' {
	try {
		return openSync(file, 'a', 0o600);
	} catch (error) {
		report(`runs without a log: ${String(error)}`);
		return 'ignore';
	}
}

export function closeLog(output: number | 'ignore'): void {
	if (output !== 'ignore') closeSync(output);
}

/** Keeps each log file and its predecessor, `.1`, below a size while the processes write. */
export function openLogFiles(report: (line: string) => void, now = () => performance.now()) {
	const files = new Set<string>();
	const retryAt = new Map<string, number>();
	const rotate = (file: string): void => {
		if ((retryAt.get(file) ?? 0) > now()) return;
		try {
			rotateLog(file);
			retryAt.delete(file);
		} catch (error) {
			if (!retryAt.has(file)) report(`a log file could not be rotated: ${String(error)}`);
			retryAt.set(file, now() + retryMs);
		}
	};
	const timer = setInterval(() => files.forEach(rotate), checkEveryMs).unref();
	return {
		/** Adds a log file, and moves its content to `.1` now and whenever it is too large. */
		add: (file: string): void => {
			files.add(file);
			rotate(file);
		},
		close: (): void => clearInterval(timer),
	};
}

/**
 * Moves the content of a log that is larger than `bytesMax` to `.1`, by copying and truncating, because the process that
 * writes has the file open. A line written between both is lost; of a very large log the copy has the end only.
 */
export function rotateLog(file: string, bytesMax = logBytesMax): void {
	const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
	if (size <= bytesMax) return;
	const former = `${file}.1`;
	const from = openSync(file, 'r+');
	try {
		// Frees its space first, for the disk may be full.
		const to = openSync(former, 'w', 0o600);
		try {
			copyRest(from, size > 2 * bytesMax ? size - bytesMax : 0, to);
			ftruncateSync(from);
		} finally {
			closeSync(to);
		}
	} catch (error) {
		rmSync(former, { force: true });
		throw error;
	} finally {
		closeSync(from);
	}
}

function copyRest(from: number, position: number, to: number): void {
	const chunk = Buffer.allocUnsafe(chunkBytes);
	for (let at = position; ; ) {
		const length = readSync(from, chunk, 0, chunkBytes, at);
		if (length === 0) return;
		for (let written = 0; written < length; ) written += writeSync(to, chunk, written, length - written);
		at += length;
	}
}

/** Calls `take` with the content of an open file from a position on, in parts of a limited size. @returns its end */
export function readAdded(descriptor: number, position: number, take: (part: Buffer) => void): number {
	const chunk = Buffer.allocUnsafe(chunkBytes);
	for (let at = position; ; ) {
		const length = readSync(descriptor, chunk, 0, chunkBytes, at);
		if (length === 0) return at;
		take(Buffer.from(chunk.subarray(0, length)));
		at += length;
	}
}

export function sizeOf(descriptor: number): number {
	return fstatSync(descriptor).size;
}
