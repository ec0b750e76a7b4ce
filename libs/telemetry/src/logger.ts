import winston from 'winston';
import { droppedLines } from './dropped-lines.ts';
import type { LogLevel } from './log-levels.ts';
import { loggable } from './loggable.ts';

/** Writes JSON lines with the level, the message and fields: `logger.warn('redis unavailable', { error })`. */
export type Logger = winston.Logger;

// JSON escapes C0 controls. It leaves DEL, the C1 controls (a terminal reads U+009B as ESC [) and the two line
// separators, so a logged value could forge a line or control a terminal; bidirectional controls could make a line read
// as another (CVE-2021-42574).
const unescapedControls = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

// Maximum number of bytes in memory while stdout is blocked, e.g. because the log collector hangs.
const waitingBytesMax = 8_388_608;

/**
 * Writes one JSON object per line to stdout: `timestamp`, `level`, `service`, `message` and the fields of the call.
 * Values of keys that name secrets are replaced; an `Error` becomes its name, message, stack and causes. While stdout
 * is blocked, lines beyond the buffer limit are dropped; the next line reports their number in `linesDropped`.
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
		transports: [new winston.transports.Console({ stderrLevels: [] })],
		format: winston.format.combine(
			unlessFull(),
			winston.format.printf((info) => formatLine(info)),
		),
	});
}

/** Drops lines while stdout is blocked: winston would keep writing and fill the memory. */
function unlessFull(): winston.Logform.Format {
	let linesDropped = 0;
	return winston.format((info) => {
		if (process.stdout.writableLength > waitingBytesMax) {
			linesDropped += 1;
			droppedLines.count += 1;
			return false;
		}
		if (linesDropped > 0) info['linesDropped'] = linesDropped;
		linesDropped = 0;
		return info;
	})();
}

/** A logger that drops everything. */
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
