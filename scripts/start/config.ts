import type { ContextDescription } from '@paddock/contract';
import { type Violation, violationText } from '@paddock/service/setting-violation';
import { checkSettings, contextsSetting, integerSetting } from '@paddock/service/settings';
import { z } from 'zod';
import { contexts, portOffsetMax } from '../contexts/contexts.ts';
import { StartError } from './start-error.ts';

/** Settings of `npm start` itself; the started processes validate their own. */
export interface StartConfig {
	production: boolean;
	host: string;
	port: number;
	opsPort?: number | undefined;
	opsPrefix: string;
	dataDir: string;
	contexts: readonly ContextDescription[];
	/** Number of instances by context; one of the others. */
	instances: Readonly<Record<string, number>>;
	postgresUrl?: string | undefined;
	consulAddress?: string | undefined;
	discovery?: 'consul' | 'static' | undefined;
	demo: boolean;
	/** The PATH that programs are searched on. */
	path: string;
	/** The environment that children inherit from, see child-environment.ts. */
	environment: Environment;
}

type Environment = Readonly<Record<string, string | undefined>>;

const instancesMax = 9;
const contextNames = contexts.map(({ name }) => name);

/** The settings of `npm start` itself. That long-running process loads them in a process of its own: check-settings.ts. */
export const startSettings = {
	NODE_ENV: z
		.enum(['production', 'development', 'test'], 'must be production, development or test')
		.default('development')
		.describe('The mode. `production` turns the demo off and makes the settings listed above required.'),
	PORT: integerSetting(1, 65_535 - portOffsetMax, 8080).describe(
		'Port of the gateway; the services and the database use fixed offsets from it.',
	),
	HOST: z.string().optional().meta({
		allowed: 'an IP address or a host name',
		description:
			'Address that the gateway listens on; by default loopback, with NODE_ENV=production all addresses.',
	}),
	OPS_PORT: integerSetting(1, 65_535, 0)
		.unwrap()
		.optional()
		.describe('Separate port for the operations pages; by default they are served on PORT.'),
	OPS_PREFIX: z.string().default('/actuator').meta({
		allowed: 'one path segment such as /actuator',
		description: 'Path prefix of the operations pages.',
	}),
	DATA_DIR: z.string().default('.data').meta({
		allowed: 'a path',
		description: 'Directory of the database and the logs; created if it is missing.',
	}),
	CONTEXTS: contextsSetting(() => contextNames.toSorted()).describe('Contexts that are started.'),
	INSTANCES: z
		.string()
		.transform(countsOf)
		.refine(areCounts, {
			error: `must be a list of contexts with 1 to ${instancesMax} instances such as masterdata=2,events=3`,
		})
		.transform((counts): Record<string, number> => Object.fromEntries(counts))
		.optional()
		.describe(
			'Number of instances by context; by default one of each. Further instances listen on consecutive ports after that of the database.',
		),
	POSTGRES_URL: z
		.string()
		.regex(
			/^postgres(ql)?:\/\/./,
			'must be an address such as postgres://postgres:password@host:5432/postgres',
		)
		.optional()
		.describe(
			'Superuser address of an existing PostgreSQL server, on which databases and roles are created; by default an embedded server is started.',
		),
	CONSUL_HTTP_ADDR: z.string().optional().meta({
		allowed: 'HOST:PORT, alone or behind http:// or https://, or a list of them',
		description:
			'Address of an existing Consul; by default a `consul` from the PATH is started, if there is one. The start fails if no Consul with a leader responds there within 10 s. Consul’s other variables are those of [every process](#every-process).',
	}),
	DISCOVERY: z
		.enum(['consul', 'static'], 'must be consul or static')
		.optional()
		.describe(
			'Source of the service instances; by default Consul if it is available, otherwise a static list made by `npm start`.',
		),
	DEMO: z
		.enum(['on', 'off'], 'must be on or off')
		.optional()
		.describe('Demo data and demo sign-ins; by default on, and off with NODE_ENV=production.'),
};

/** @throws StartError listing every invalid setting. */
export function readConfig(env: Environment = process.env): StartConfig {
	const { config, violations } = inspectConfig(env);
	if (violations.length === 0) return config;
	throw new StartError('The settings are not usable:', { details: violations.map(violationText) });
}

/** The settings with the defaults in place of invalid ones, and the violations. */
export function inspectConfig(env: Environment): {
	readonly config: StartConfig;
	readonly violations: readonly Violation[];
} {
	const schema = z.object(startSettings);
	const { data, violations } = checkSettings(schema, env);
	const refused = new Set(violations.map(({ name }) => name));
	const valid = Object.entries(env).filter(([name, value]) => value !== '' && !refused.has(name));
	return { config: configOf(data ?? schema.parse(Object.fromEntries(valid)), env), violations };
}

function configOf(values: z.output<z.ZodObject<typeof startSettings>>, env: Environment): StartConfig {
	const production = values.NODE_ENV === 'production';
	return {
		production,
		host: values.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
		port: values.PORT,
		opsPort: values.OPS_PORT,
		opsPrefix: values.OPS_PREFIX,
		dataDir: values.DATA_DIR,
		contexts: contexts.filter(({ name }) => values.CONTEXTS.includes(name)),
		instances: values.INSTANCES ?? {},
		postgresUrl: values.POSTGRES_URL,
		consulAddress: values.CONSUL_HTTP_ADDR,
		discovery: values.DISCOVERY,
		demo: values.DEMO === undefined ? !production : values.DEMO === 'on',
		path: env['PATH'] ?? '',
		environment: env,
	};
}

function countsOf(list: string): [name: string, count: number][] {
	return list.split(',').map((entry) => {
		const [name = '', count, ...rest] = entry.trim().split('=');
		return [name, rest.length === 0 ? Number(count) : Number.NaN];
	});
}

function areCounts(counts: readonly [name: string, count: number][]): boolean {
	const isValid = ([name, count]: readonly [string, number]) =>
		contextNames.includes(name) && Number.isInteger(count) && count >= 1 && count <= instancesMax;
	return new Map(counts).size === counts.length && counts.every(isValid);
}
