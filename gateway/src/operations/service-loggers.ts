import type { MutualTls } from '@paddock/discovery';
import { type LogLevelChange, loggerFields, logLevelPath } from '@paddock/service';
import { z } from 'zod';
import type { SessionCaller } from '../authentication/live-sessions.ts';
import type { Context } from '../contexts/context.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import { createInternalClient, reasonOf } from '../upstream/internal-client.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { logger } from './introspection-schemas.ts';

type LoggerEntry = z.output<typeof logger>;

/** The administrator; the services verify the token themselves. */
type LoggerCaller = Pick<SessionCaller, 'authorization' | 'requestId'>;

/** Log levels of the service processes. */
export interface ServiceLoggers {
	/** Of all instances that this gateway knows; of those that do not respond, the problem. */
	list(caller: LoggerCaller): Promise<LoggerEntry[]>;
	/** Changes the level of a context's instances, or of one. @returns undefined if there is no such instance */
	change(
		of: { readonly context: string; readonly instance: string | undefined },
		change: LogLevelChange,
		caller: LoggerCaller,
	): Promise<LoggerEntry[] | undefined>;
	close(): void;
}

interface ServiceLoggersDeps {
	readonly contexts: readonly Context[];
	readonly table: InstanceTable;
	readonly timeoutMs: number;
	/** Without it, calls are plain HTTP. */
	readonly tls: MutualTls | undefined;
}

const response = z.object({ data: z.object(loggerFields).omit({ name: true }) });

export function createServiceLoggers({
	contexts,
	table,
	timeoutMs,
	tls,
}: ServiceLoggersDeps): ServiceLoggers {
	const client = createInternalClient({ timeoutMs, socketsMax: 1, tls });
	const call = async (
		{ name, service }: Context,
		{ instance: { id: instance, url } }: Upstream,
		{ authorization, requestId }: LoggerCaller,
		change?: LogLevelChange,
	): Promise<LoggerEntry> => {
		try {
			const found = await client.request(service, {
				method: change === undefined ? 'GET' : 'POST',
				url: url + logLevelPath,
				data: change,
				headers: { authorization, 'X-Request-Id': requestId },
			});
			const { configuredLevel, effectiveLevel, until } = response.parse(found.data).data;
			return { name, instance, configuredLevel, effectiveLevel, until };
		} catch (error) {
			return { name, instance, problem: reasonOf(error) };
		}
	};
	const instancesOf = (context: Context) =>
		table.upstreams(context.service).map((upstream) => ({ context, upstream }));
	return {
		list: (caller) =>
			Promise.all(
				contexts.flatMap(instancesOf).map(({ context, upstream }) => call(context, upstream, caller)),
			),
		change: async (of, change, caller) => {
			const chosen = contexts
				.filter(({ name }) => name === of.context)
				.flatMap(instancesOf)
				.filter(({ upstream }) => of.instance === undefined || of.instance === upstream.instance.id);
			if (chosen.length === 0) return undefined;
			return Promise.all(chosen.map(({ context, upstream }) => call(context, upstream, caller, change)));
		},
		close: client.close,
	};
}
