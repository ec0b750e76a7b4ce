import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

interface ReportedEntry {
	level: 'warn' | 'error';
	line: string;
}

/** The log entries of a process since the follower was created. */
export interface LogFollower {
	/** Reports the new complete lines; none after `close`. */
	read(): void;
	/** The last lines that are not log entries: errors of Node.js or of a shell if a program cannot run. */
	plainLines(): readonly string[];
	close(): void;
}

const plainLinesMax = 30;

/**
 * Follows a log file of JSON lines from its current end and reports each warning and error as one short line. The
 * processes write to the file themselves, so they do not depend on a reader.
 */
export function followLog(file: string, report: (entry: ReportedEntry) => void): LogFollower {
	const descriptor = openSync(file, 'r');
	let open = true;
	let position = fstatSync(descriptor).size;
	let rest = Buffer.alloc(0);
	const plain: string[] = [];
	return {
		read: () => {
			if (!open) return;
			if (fstatSync(descriptor).size < position) {
				// The file was truncated; the process continues at its new end.
				position = 0;
				rest = Buffer.alloc(0);
			}
			const added = readFrom(descriptor, position);
			position += added.length;
			const data = Buffer.concat([rest, added]);
			const end = data.lastIndexOf('\n') + 1;
			rest = data.subarray(end);
			for (const line of data.subarray(0, end).toString().split('\n')) {
				if (line === '') continue;
				const entry = parseEntry(line);
				if (!entry) {
					plain.push(line);
					plain.splice(0, plain.length - plainLinesMax);
				} else if (entry.level === 'warn' || entry.level === 'error') {
					report({ level: entry.level, line: shortLine(entry) });
				}
			}
		},
		plainLines: () => plain,
		close: () => {
			open = false;
			closeSync(descriptor);
		},
	};
}

interface LogEntry {
	level: string;
	message: string;
	error?: { message?: unknown };
	[detail: string]: unknown;
}

/** The fields that distinguish entries with the same message. */
const details = ['upstream', 'peer', 'context', 'instance', 'task', 'from', 'to', 'reason', 'count'];

/**
 * `warn: an idle database connection was lost (Connection terminated unexpectedly)`,
 * `warn: circuit breaker: upstream auth-service, from CLOSED, to OPEN`
 */
function shortLine(entry: LogEntry): string {
	const known = details.flatMap((name) => {
		const value = entry[name];
		return typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [];
	});
	const fields = known.length === 0 ? '' : `: ${known.join(', ')}`;
	const cause = entry.error?.message ?? entry['cause'];
	const reason = typeof cause === 'string' && cause !== '' ? ` (${cause.split('\n', 1)[0]})` : '';
	return `${entry.level}: ${entry.message}${fields}${reason}`.slice(0, 240);
}

function parseEntry(line: string): LogEntry | undefined {
	try {
		const entry: unknown = JSON.parse(line);
		const isEntry =
			typeof entry === 'object' &&
			entry !== null &&
			'level' in entry &&
			'message' in entry &&
			typeof entry.message === 'string';
		return isEntry ? (entry as LogEntry) : undefined;
	} catch {
		return undefined;
	}
}

function readFrom(descriptor: number, position: number): Buffer {
	const size = fstatSync(descriptor).size - position;
	if (size <= 0) return Buffer.alloc(0);
	const buffer = Buffer.alloc(size);
	return buffer.subarray(0, readSync(descriptor, buffer, 0, size, position));
}
