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
	/** Changes the level until `until`. */
	set(level: LogLevel, until: Date): LoggerState;
	/** Restores the configured level. */
	reset(): LoggerState;
}

export function adjustableLogLevel(deps: {
	readonly name: string;
	readonly logger: Logger;
	readonly configuredLevel: LogLevel;
	readonly now: () => Date;
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
	const apply = (level: LogLevel, end?: Date): LoggerState => {
		clearTimeout(timer);
		effectiveLevel = level;
		until = end;
		logger.level = level;
		return state();
	};
	const reset = (): LoggerState => apply(configuredLevel);

	return {
		state,
		set: (level, end) => {
			const changed = apply(level, end);
			timer = setTimeout(reset, Math.max(0, end.getTime() - now().getTime())).unref();
			return changed;
		},
		reset,
	};
}
