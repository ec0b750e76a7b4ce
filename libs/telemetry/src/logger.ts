import winston from 'winston';

export type Logger = winston.Logger;

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

const secretKey =
	/^(authorization|cookie|set-cookie|password|currentpassword|newpassword|secret|.*token|.*secret|private.*)$/i;
// JSON escapes C0 controls by itself. DEL, the C1 controls (a terminal takes U+009B for ESC [) and the two line
// separators it leaves, so a logged value could still forge a line or colour a terminal.
const unescapedControls = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * One JSON object a line on stdout: `timestamp`, `level`, `service`, `message` and whatever the call adds.
 * Values of keys that hold secrets are replaced; an `Error` becomes its name, message, stack and causes.
 */
export function createLogger(options: { service: string; level: LogLevel }): Logger {
	return winston.createLogger({
		level: options.level,
		defaultMeta: { service: options.service },
		transports: [new winston.transports.Console({ stderrLevels: [] })],
		format: winston.format.printf((info) => formatLine(info)),
	});
}

/** A logger that drops everything. */
export function silentLogger(): Logger {
	return winston.createLogger({ silent: true, transports: [new winston.transports.Console()] });
}

/** The line for one log entry: escaped, redacted, cut at a bounded depth. */
export function formatLine(entry: Record<string, unknown>): string {
	const { level, message, service, ...rest } = entry;
	const line = {
		timestamp: new Date().toISOString(),
		level,
		service,
		message: asLoggable(message, 0),
		...redacted(rest, 0),
	};
	return JSON.stringify(line).replace(
		unescapedControls,
		(c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

const depthMax = 6;

function redacted(value: object, depth: number): Record<string, unknown> {
	const result: Record<string, unknown> = {};
	for (const [key, entry] of Object.entries(value)) {
		result[key] = secretKey.test(key) ? '[redacted]' : asLoggable(entry, depth + 1);
	}
	return result;
}

function asLoggable(value: unknown, depth: number): unknown {
	if (typeof value === 'bigint') return value.toString();
	if (value === null || typeof value !== 'object') return value;
	if (depth > depthMax) return '[deep]';
	if (value instanceof Date) return value;
	if (value instanceof Error) return describeError(value, depth);
	if (Array.isArray(value)) return value.slice(0, 50).map((entry) => asLoggable(entry, depth + 1));
	return redacted(value, depth);
}

function describeError(error: Error, depth: number): Record<string, unknown> {
	const code = 'code' in error ? error.code : undefined;
	return {
		name: error.name,
		message: error.message,
		...(typeof code === 'string' ? { code } : {}),
		stack: error.stack,
		...(error.cause === undefined ? {} : { cause: asLoggable(error.cause, depth + 1) }),
	};
}
