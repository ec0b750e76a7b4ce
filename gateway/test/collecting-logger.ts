import { Writable } from 'node:stream';
import { createLogger, formatLine, type Logger, type LogLevel } from '@paddock/telemetry';
import winston from 'winston';

/** The real logger with its real format; it passes each of its lines to `collect`. */
export function collectingLogger(level: LogLevel, collect: (line: string) => void): Logger {
	const logger = createLogger({ service: 'gateway', level });
	const stream = new Writable({
		objectMode: true,
		write(entry: Record<string, unknown>, _encoding, done) {
			collect(`${formatLine(entry)}\n`);
			done();
		},
	});
	logger.clear().add(new winston.transports.Stream({ stream }));
	return logger;
}
