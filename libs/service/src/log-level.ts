import type { Logger, LogLevel } from '@paddock/telemetry';

export interface LoggerState {
	readonly name: string;
	readonly configuredLevel: LogLevel;
	readonly effectiveLevel: LogLevel;
	/** Absent if the configured level applies. */
	readonly until?: Date;
}

/** The log level of this process, which an administrator may change for a time. */
export interface AdjustableLogLevel {
	state(): LoggerState;
	/** Changes the level until `until`; the log names the user. */
	set(level: LogLevel, until: Date, userId: string): LoggerState;
	/** Restores the configured level. */
	reset(userId: string): LoggerState;
}

export function adjustableLogLevel(deps: {
	readonly name: string;
	readonly logger: Logger;
	readonly configuredLevel: LogLevel;
	readonly now: () => Date;
	readonly onChange?: ((level: LogLevel) => void) | undefined;
}): AdjustableLogLevel {
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
		set: (level, end, userId) => {
			const changed = apply(level, end, userId);
			timer = setTimeout(() => apply(configuredLevel), Math.max(0, end.getTime() - now().getTime())).unref();
			return changed;
		},
		reset: (userId) => apply(configuredLevel, undefined, userId),
	};
}
