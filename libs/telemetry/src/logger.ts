import { Writable } from 'node:stream';
import winston from 'winston';
import { droppedLines } from './dropped-lines.ts';
import { type LineOutput, standardOutput, waitingBytesMax } from './line-output.ts';
import type { LogLevel } from './log-levels.ts';
import { loggable } from './loggable.ts';

/** Writes JSON lines with the level, the message and fields: `logger.warn('redis unavailable', { error })`. */
export type Logger = winston.Logger;

// JSON escapes C0 controls. It leaves DEL, the C1 controls (a terminal reads U+009B as ESC [) and the two line
// separators, so a logged value could forge a line or control a terminal; bidirectional controls could make a line read
// as another (CVE-2021-42574).
const unescapedControls = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Writes one JSON object per line to stdout: `timestamp`, `level`, `service`, `message` and the fields of the call; secrets
 * are replaced. Lines that stdout does not take are dropped and counted in `linesDropped` of the next.
 */
export function createLogger(options: {
	service: string;
	level: LogLevel;
	/** The number of this process among those that write one log. */
	worker?: number | undefined;
}): Logger {
	const { service, worker } = options;
	return winston.createLogger({
		level: options.level,
		defaultMeta: worker === undefined ? { service } : { service, worker },
		transports: [new winston.transports.Stream({ stream: lineStream(standardOutput()) })],
		format: winston.format.printf((info) => formatLine(info)),
	});
}

const formatted = Symbol.for('message');

/** The fields of an entry, and its line where winston puts it. */
type FormattedEntry = Record<string, unknown> & { readonly [formatted]: string };

/** Writes each entry as a line. winston's own transport would keep writing to a blocked stdout and fill the memory. */
function lineStream(output: LineOutput): Writable {
	return new Writable({
		objectMode: true,
		write: (entry: FormattedEntry, _encoding, done) => {
			writeEntry(output, entry);
			done();
		},
	});
}

function writeEntry(output: LineOutput, entry: FormattedEntry): void {
	if (output.waitingBytes() > waitingBytesMax) {
		droppedLines.add('blocked', 1);
		return;
	}
	const linesDropped = droppedLines.takeUnreported();
	const line = linesDropped === 0 ? entry[formatted] : formatLine({ ...entry, linesDropped });
	output.write(Buffer.from(`${line}\n`), (failed) => {
		if (failed) droppedLines.returnUnreported(linesDropped);
	});
}

export function silentLogger(): Logger {
	return winston.createLogger({ silent: true, transports: [new winston.transports.Console()] });
}

/** The line for one log entry: escaped, redacted, bounded. */
export function formatLine(entry: Record<string, unknown>): string {
	const { level, message, service, ...rest } = entry;
	const line = {
		timestamp: new Date().toISOString(),
		level,
		service,
		message: loggable(message),
		...Object(loggable(rest)),
	};
	return JSON.stringify(line).replace(
		unescapedControls,
		(c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}
