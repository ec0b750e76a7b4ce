import { closeSync, openSync } from 'node:fs';
import { readAdded, sizeOf } from './log-files.ts';

interface ReportedEntry {
	level: 'info' | 'warn' | 'error';
	line: string;
}

/** The log entries of a process since the follower was created. */
export type LogFollower = ReturnType<typeof followLog>;

/** Messages such as `registry responds again`. */
const recovery = / again$/;
const plainLinesMax = 30;
/** Maximum length of a line; a longer one is not a log entry. */
const lineBytesMax = 1_000_000;
const lineCharsMax = 2_000;

/** Follows a log file of JSON lines from its end and reports warnings, errors and recoveries. An unreadable file is reported once. */
export function followLog(file: string, report: (entry: ReportedEntry) => void) {
	const lines = entryLines(report);
	let followed = openAtEnd(file);
	const read = (): void => {
		if (followed === undefined) return;
		const { descriptor, position } = followed;
		if (sizeOf(descriptor) < position) {
			// The log was rotated: its unread end is in `.1`, and the process continues at the start of the file.
			readFormer(file, position, lines.take);
			lines.end();
			followed.position = 0;
		}
		followed.position = readAdded(descriptor, followed.position, lines.take);
	};
	const close = (): void => {
		if (followed !== undefined) closeSync(followed.descriptor);
		followed = undefined;
	};
	return {
		/** Reports the new complete lines; none after `close`. */
		read: (): void => {
			try {
				read();
			} catch (error) {
				close();
				report({ level: 'warn', line: `warn: its log can't be read (${String(error)})` });
			}
		},
		/** The last lines that are not log entries: errors of Node.js or of a shell if a program cannot run. */
		plainLines: (): readonly string[] => lines.plain,
		close,
	};
}

/** Undefined without a readable file, as for a process that runs without a log. */
function openAtEnd(file: string): { readonly descriptor: number; position: number } | undefined {
	try {
		const descriptor = openSync(file, 'r');
		return { descriptor, position: sizeOf(descriptor) };
	} catch {
		return undefined;
	}
}

function readFormer(file: string, position: number, take: (part: Buffer) => void): void {
	try {
		const descriptor = openSync(`${file}.1`, 'r');
		readAdded(descriptor, position, take);
		closeSync(descriptor);
	} catch {
		// Truncated by somebody else: there is no former log.
	}
}

/** Splits what it takes into lines, reports warnings and errors, and keeps the last lines that are not log entries. */
function entryLines(report: (entry: ReportedEntry) => void) {
	const plain: string[] = [];
	let rest = Buffer.alloc(0);
	const takeLine = (line: string): void => {
		if (line === '') return;
		const entry = parseEntry(line);
		if (!entry) {
			plain.push(line.slice(0, lineCharsMax));
			plain.splice(0, plain.length - plainLinesMax);
		} else if (entry.level === 'warn' || entry.level === 'error') {
			report({ level: entry.level, line: shortLine(entry) });
		} else if (entry.level === 'info' && recovery.test(entry.message)) {
			report({ level: entry.level, line: shortLine(entry) });
		}
	};
	return {
		plain: plain as readonly string[],
		take: (part: Buffer): void => {
			const data = Buffer.concat([rest, part]);
			const end = data.lastIndexOf('\n') + 1;
			rest = data.length - end > lineBytesMax ? Buffer.alloc(0) : data.subarray(end);
			for (const line of data.subarray(0, end).toString().split('\n')) takeLine(line);
		},
		/** The next part begins with a line of its own. */
		end: (): void => {
			rest = Buffer.alloc(0);
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

/** `warn: circuit breaker: upstream auth-service, from CLOSED, to OPEN` */
function shortLine(entry: LogEntry): string {
	// A message for clients is a sentence.
	const message = entry.message.replace(/\.$/, '');
	const known = details.flatMap((name) => {
		const value = entry[name];
		return typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [];
	});
	const fields = known.length === 0 ? '' : `: ${known.join(', ')}`;
	const cause = entry.error?.message ?? entry['cause'];
	const reason = typeof cause === 'string' && cause !== '' ? ` (${cause.split('\n', 1)[0]})` : '';
	return `${entry.level}: ${message}${fields}${reason}`.slice(0, 240);
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
