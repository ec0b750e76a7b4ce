import { type Logger, type LogLevel, logLevels } from '@paddock/telemetry';
import { z } from 'zod';
import { administratorsOnly } from '../routes/access.ts';
import { type Route, routesWith } from '../routes/route.ts';

type LoggerState = z.output<z.ZodObject<typeof loggerFields>>;

/** The log level of this process, which an administrator may change for a time. */
export type AdjustableLogLevel = ReturnType<typeof adjustableLogLevel>;

/** Starts at the configured level. `onChange` receives each later one. */
export function adjustableLogLevel(deps: {
	readonly name: string;
	readonly logger: Logger;
	readonly configuredLevel: LogLevel;
	readonly now: () => Date;
	readonly onChange?: ((level: LogLevel) => void) | undefined;
}) {
	const { name, logger, configuredLevel, now } = deps;
	let effectiveLevel = configuredLevel;
	let until: Date | undefined;
	let timer: NodeJS.Timeout | undefined;

	const state = (): LoggerState => ({
		name,
		configuredLevel,
		effectiveLevel,
		...(until === undefined ? {} : { until }),
	});
	const apply = (level: LogLevel, end?: Date, userId?: string): LoggerState => {
		clearTimeout(timer);
		const report = () =>
			logger.warn('log level changed', { from: effectiveLevel, to: level, until: end, userId });
		// At the level `error` the line that says who lowered it would be lost.
		if (level === 'error') report();
		logger.level = level;
		if (level !== 'error') report();
		effectiveLevel = level;
		until = end;
		deps.onChange?.(level);
		return state();
	};

	return {
		state,
		/** Changes the level until `until`; the log names the user. */
		set: (level: LogLevel, end: Date, userId: string): LoggerState => {
			const changed = apply(level, end, userId);
			timer = setTimeout(() => apply(configuredLevel), Math.max(0, end.getTime() - now().getTime())).unref();
			return changed;
		},
		reset: (userId: string): LoggerState => apply(configuredLevel, undefined, userId),
	};
}

/** Path of a service's own log level; the gateway routes no request to it. */
const logLevelPath = '/loggers';

const logLevel = z
	.enum(logLevels)
	.meta({ id: 'LogLevel', description: 'Severity of a log line; a level includes the ones before it.' });

export const loggerFields = {
	name: z.string().describe('Name of the process, as in its log lines.'),
	configuredLevel: logLevel,
	effectiveLevel: logLevel,
	until: z.coerce
		.date()
		.optional()
		.meta({ type: 'string', format: 'date-time' })
		.describe('When the configured level applies again, in UTC; absent if it does.'),
};

export const logLevelChange = z
	.strictObject({
		level: logLevel.nullable().describe('Lowest severity that is logged; null restores LOG_LEVEL.'),
		expiresInSeconds: z
			.int('must be a whole number')
			.min(1)
			.max(86_400)
			.default(600)
			.describe('Seconds until LOG_LEVEL applies again.'),
	})
	.meta({
		id: 'LogLevelRequest',
		description: 'Log level for a time.',
		example: { level: 'debug', expiresInSeconds: 600 },
	});

export type LogLevelChange = z.output<typeof logLevelChange>;

export function changeLogLevel(
	logLevel: AdjustableLogLevel,
	{ level, expiresInSeconds }: LogLevelChange,
	{ userId, now }: { readonly userId: string; readonly now: Date },
): LoggerState {
	if (level === null) return logLevel.reset(userId);
	return logLevel.set(level, new Date(now.getTime() + expiresInSeconds * 1_000), userId);
}

const route = routesWith<AdjustableLogLevel>('operations');
const shared = {
	path: logLevelPath,
	access: administratorsOnly,
	cacheControl: 'no-store',
	output: z.strictObject(loggerFields),
	message: 'Log level of this process',
} as const;

export const logLevelRoutes: readonly Route<AdjustableLogLevel>[] = [
	route({
		...shared,
		method: 'get',
		operationId: 'logger',
		readers: 'office',
		summary: 'Log level of this process',
		handler: (_request, logLevel) => logLevel.state(),
	}),
	route({
		...shared,
		method: 'post',
		operationId: 'changeLogger',
		writers: 'office',
		summary: 'Change the log level of this process for a time',
		body: logLevelChange,
		handler: ({ body, principal, now }, logLevel) =>
			changeLogLevel(logLevel, body, { userId: principal.userId, now }),
	}),
];
