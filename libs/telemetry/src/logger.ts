import winston from 'winston';
import { loggable } from './loggable.ts';

export type Logger = winston.Logger;

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

// JSON escapes C0 controls by itself. DEL, the C1 controls (a terminal takes U+009B for ESC [) and the two line
// separators it leaves, so a logged value could still forge a line or colour a terminal; the marks that turn the
// direction of writing could make a line read as another (CVE-2021-42574).
const unescapedControls = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

// What may wait in memory while stdout takes nothing, e.g. because the collector of logs hangs.
const waitingBytesMax = 8_388_608;

/**
 * One JSON object a line on stdout: `timestamp`, `level`, `service`, `message` and whatever the call adds.
 * Values of keys that hold secrets are replaced; an `Error` becomes its name, message, stack and causes. While stdout
 * takes nothing, lines beyond what may wait are dropped; the next one that isn't says how many in `linesDropped`.
 */
export function createLogger(options: { service: string; level: LogLevel }): Logger {
	return winston.createLogger({
		level: options.level,
		defaultMeta: { service: options.service },
		transports: [new winston.transports.Console({ stderrLevels: [] })],
		format: winston.format.combine(
			unlessFull(),
			winston.format.printf((info) => formatLine(info)),
		),
	});
}

/** Leaves out what would only fill the memory: winston writes on, whether stdout takes it or not. */
function unlessFull(): winston.Logform.Format {
	let linesDropped = 0;
	return winston.format((info) => {
		if (process.stdout.writableLength > waitingBytesMax) {
			linesDropped += 1;
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
