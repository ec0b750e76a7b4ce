import type { ContextDescription } from '@paddock/contract';
import { type Violation, violationText } from '@paddock/service/setting-violation';
import { contexts, portOffsetMax } from '../contexts/contexts.ts';
import { StartError } from './start-error.ts';

/** Settings of `npm start` itself; the started processes validate their own. */
export interface StartConfig {
	production: boolean;
	/** The address that the gateway listens on. */
	host: string;
	port: number;
	opsPort?: number;
	opsPrefix: string;
	dataDir: string;
	contexts: readonly ContextDescription[];
	/** Number of instances by context; one of the others. */
	instances: ReadonlyMap<string, number>;
	postgresUrl?: string;
	consulAddress?: string;
	discovery?: 'consul' | 'static';
	/** Demo data and sign-ins. */
	demo: boolean;
	/** The PATH that programs are searched on. */
	path: string;
	/** The environment that children inherit from, see child-environment.ts. */
	environment: Environment;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface StartSetting<Value, Fallback> {
	/** The default; undefined if it depends on another setting. */
	readonly fallback: Fallback;
	/** The error message for an invalid value, without the setting's name. */
	readonly rule: string;
	/** A sentence for docs/settings.md. */
	readonly meaning: string;
	/** Undefined for an invalid value. */
	readonly parse: (text: string) => Value | undefined;
}

const instancesMax = 9;
const contextNames = contexts.map(({ name }) => name);

// No zod: this long-running process would keep the library in memory for one parse.
export const startSettings = {
	NODE_ENV: oneOf(['production', 'development', 'test'], {
		fallback: 'development',
		meaning: 'The mode. `production` turns the demo off and makes the settings listed above required.',
	}),
	PORT: integer(65_535 - portOffsetMax, {
		fallback: 8080,
		meaning: 'Port of the gateway; the services and the database use fixed offsets from it.',
	}),
	HOST: text({
		fallback: undefined,
		rule: 'must be an IP address or a host name',
		meaning:
			'Address that the gateway listens on; by default loopback, with NODE_ENV=production all addresses.',
	}),
	OPS_PORT: integer(65_535, {
		fallback: undefined,
		meaning: 'Separate port for the operations pages; by default they are served on PORT.',
	}),
	OPS_PREFIX: text({
		fallback: '/actuator',
		rule: 'must be one path segment such as /actuator',
		meaning: 'Path prefix of the operations pages.',
	}),
	DATA_DIR: text({
		fallback: '.data',
		rule: 'must be a path',
		meaning: 'Directory of the database and the logs; created if it is missing.',
	}),
	CONTEXTS: {
		fallback: contextNames,
		rule: `must list some of ${contextNames.join(', ')}`,
		meaning: 'Contexts that are started.',
		parse: contextsOf,
	},
	INSTANCES: {
		fallback: undefined,
		rule: `must be a list of contexts with 1 to ${instancesMax} instances such as masterdata=2,events=3`,
		meaning:
			'Number of instances by context; by default one of each. Further instances listen on consecutive ports after that of the database.',
		parse: instancesOf,
	},
	POSTGRES_URL: {
		fallback: undefined,
		rule: 'must be an address such as postgres://postgres:password@host:5432/postgres',
		meaning:
			'Superuser address of an existing PostgreSQL server, on which databases and roles are created; by default an embedded server is started.',
		parse: (address: string) => (/^postgres(ql)?:\/\/./.test(address) ? address : undefined),
	},
	CONSUL_HTTP_ADDR: text({
		fallback: undefined,
		rule: 'must be HOST:PORT, alone or behind http:// or https://, or a list of them',
		meaning:
			'Address of an existing Consul; by default a `consul` from the PATH is started, if there is one. The start fails if no Consul with a leader responds there within 10 s. Consul’s other variables are those of [every process](#every-process).',
	}),
	DISCOVERY: oneOf(['consul', 'static'], {
		fallback: undefined,
		meaning:
			'Source of the service instances; by default Consul if it is available, otherwise a static list made by `npm start`.',
	}),
	DEMO: oneOf(['on', 'off'], {
		fallback: undefined,
		meaning: 'Demo data and demo sign-ins; by default on, and off with NODE_ENV=production.',
	}),
};

/** @throws StartError listing every invalid setting. */
export function readConfig(env: Environment = process.env): StartConfig {
	const { config, violations } = inspectConfig(env);
	if (violations.length === 0) return config;
	throw new StartError('The settings are not usable:', { details: violations.map(violationText) });
}

/** The settings with the defaults in place of invalid ones, and the violations. */
export function inspectConfig(env: Environment = process.env): {
	readonly config: StartConfig;
	readonly violations: readonly Violation[];
} {
	const { values, violations } = readValues(env);
	return { config: configOf(values, env), violations };
}

function configOf(values: Values, env: Environment): StartConfig {
	const { OPS_PORT: opsPort, POSTGRES_URL: postgresUrl, CONSUL_HTTP_ADDR: consulAddress } = values;
	const { DISCOVERY: discovery, DEMO: demo } = values;
	const production = values.NODE_ENV === 'production';
	return {
		production,
		host: values.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
		port: values.PORT,
		opsPrefix: values.OPS_PREFIX,
		dataDir: values.DATA_DIR,
		contexts: contexts.filter(({ name }) => values.CONTEXTS.includes(name)),
		instances: values.INSTANCES ?? new Map(),
		demo: demo === undefined ? !production : demo === 'on',
		path: env['PATH'] ?? '',
		environment: env,
		...(opsPort === undefined ? {} : { opsPort }),
		...(postgresUrl === undefined ? {} : { postgresUrl }),
		...(consulAddress === undefined ? {} : { consulAddress }),
		...(discovery === undefined ? {} : { discovery }),
	};
}

type ValueOf<Setting> =
	Setting extends StartSetting<infer Value, infer Fallback> ? NonNullable<Value> | Fallback : never;

type Values = { readonly [Name in keyof typeof startSettings]: ValueOf<(typeof startSettings)[Name]> };

/** Absent, empty and invalid variables get the default. */
function readValues(env: Environment): {
	readonly values: Values;
	readonly violations: readonly Violation[];
} {
	const violations: Violation[] = [];
	const values = Object.entries(startSettings).map(([name, { fallback, rule, parse }]) => {
		const given = env[name];
		if (given === undefined || given === '') return [name, fallback];
		const value = parse(given);
		if (value === undefined) violations.push({ name, rule, value: given });
		return [name, value ?? fallback];
	});
	return { values: Object.fromEntries(values) as Values, violations };
}

function contextsOf(list: string): string[] | undefined {
	const names = list.split(',').map((name) => name.trim());
	return names.every((name) => contextNames.includes(name)) ? names : undefined;
}

function instancesOf(list: string): ReadonlyMap<string, number> | undefined {
	const entries = list.split(',').map((entry) => entry.trim().split('='));
	const counts = new Map(entries.map(([name = '', count = '']) => [name, Number(count)]));
	const isValid = ([name, count]: [string, number]) =>
		contextNames.includes(name) && Number.isInteger(count) && count >= 1 && count <= instancesMax;
	const isList = counts.size === entries.length && entries.every(({ length }) => length === 2);
	return isList && [...counts].every(isValid) ? counts : undefined;
}

interface About<Fallback> {
	readonly fallback: Fallback;
	readonly meaning: string;
}

/** Any text; the receiving processes validate it. */
function text<Fallback>(about: About<Fallback> & { readonly rule: string }): StartSetting<string, Fallback> {
	return { ...about, parse: (given) => given };
}

/** A whole number from 1 to `max`. */
function integer<Fallback>(max: number, about: About<Fallback>): StartSetting<number, Fallback> {
	const parse = (given: string) => {
		const value = /^\d{1,9}$/.test(given) ? Number(given) : 0;
		return value >= 1 && value <= max ? value : undefined;
	};
	return { ...about, rule: `must be a whole number from 1 to ${max}`, parse };
}

function oneOf<Choice extends string, Fallback extends NoInfer<Choice> | undefined>(
	choices: readonly Choice[],
	about: About<Fallback>,
): StartSetting<Choice, Fallback> {
	return {
		...about,
		rule: `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
		parse: (given) => choices.find((choice) => choice === given),
	};
}
