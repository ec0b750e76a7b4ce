import type { ContextDescription } from '@paddock/contract';
import { contexts, portOffsetMax } from '../contexts/contexts.ts';
import { StartError } from './start-error.ts';

/** What the start itself reads; the processes that it starts check their own settings. */
export interface StartConfig {
	production: boolean;
	/** Where the gateway listens. */
	host: string;
	port: number;
	opsPort?: number;
	opsPrefix: string;
	dataDir: string;
	contexts: readonly ContextDescription[];
	postgresUrl?: string;
	consulAddress?: string;
	discovery?: 'consul' | 'static';
	/** Demo data and sign-ins. */
	demo: boolean;
	/** Where programs are looked for. */
	path: string;
	/** What the children inherit of, see child-environment.ts. */
	environment: Environment;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface StartSetting<Value, Fallback> {
	/** Undefined where what is not set depends on something else. */
	readonly fallback: Fallback;
	/** What somebody is told who breaks it, behind the name. */
	readonly rule: string;
	/** A sentence for docs/settings.md. */
	readonly meaning: string;
	/** Undefined for what breaks the rule. */
	readonly parse: (text: string) => Value | undefined;
}

const contextNames = contexts.map(({ name }) => name);

// No schemas here: the start lives as long as the system does, and would keep their library in memory for one reading.
export const startSettings = {
	NODE_ENV: oneOf(['production', 'development', 'test'], {
		fallback: 'development',
		meaning:
			'With `production` there is no demo, and every process demands what it can do without elsewhere.',
	}),
	PORT: integer(65_535 - portOffsetMax, {
		fallback: 8080,
		meaning: 'The port of the gateway; the services and the database take fixed distances from it.',
	}),
	HOST: text({
		fallback: undefined,
		rule: 'must be an IP address or a host name',
		meaning: 'Where the gateway listens; without it loopback, with NODE_ENV=production every address.',
	}),
	OPS_PORT: integer(65_535, {
		fallback: undefined,
		meaning: 'A port of their own for the pages of operators; without it they are at PORT.',
	}),
	OPS_PREFIX: text({
		fallback: '/actuator',
		rule: 'must be one path segment such as /actuator',
		meaning: 'Where the pages of operators are.',
	}),
	DATA_DIR: text({
		fallback: '.data',
		rule: 'must be a path',
		meaning: 'The folder of the database and the logs; it is made where it is missing.',
	}),
	CONTEXTS: {
		fallback: contextNames,
		rule: `must list some of ${contextNames.join(', ')}`,
		meaning: 'The contexts that are started.',
		parse: contextsOf,
	},
	POSTGRES_URL: {
		fallback: undefined,
		rule: 'must be an address such as postgres://postgres:password@host:5432/postgres',
		meaning:
			'A PostgreSQL server of your own, as a superuser, for databases and roles to be made there; without it one is started.',
		parse: (address: string) => (/^postgres(ql)?:\/\/./.test(address) ? address : undefined),
	},
	CONSUL_HTTP_ADDR: text({
		fallback: undefined,
		rule: 'must be HOST:PORT, alone or behind http:// or https://',
		meaning: 'A Consul of your own; without it a `consul` that is on the PATH is started.',
	}),
	DISCOVERY: oneOf(['consul', 'static'], {
		fallback: undefined,
		meaning:
			'Where instances are found; without it Consul, where there is one, else a list that the start makes.',
	}),
	DEMO: oneOf(['on', 'off'], {
		fallback: undefined,
		meaning:
			'Whether there are demo data and sign-ins; without it there are, but not with NODE_ENV=production.',
	}),
};

/** @throws StartError naming every setting that is not usable. */
export function readConfig(env: Environment = process.env): StartConfig {
	const values = readValues(env);
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

/** What is absent or empty has its fallback. @throws StartError */
function readValues(env: Environment): Values {
	const problems: string[] = [];
	const values = Object.entries(startSettings).map(([name, { fallback, rule, parse }]) => {
		const given = env[name];
		if (given === undefined || given === '') return [name, fallback];
		const value = parse(given);
		if (value === undefined) problems.push(`${name} ${rule}`);
		return [name, value];
	});
	if (problems.length > 0) throw new StartError(`The settings are not usable: ${problems.join('; ')}`);
	return Object.fromEntries(values) as Values;
}

function contextsOf(list: string): string[] | undefined {
	const names = list.split(',').map((name) => name.trim());
	return names.every((name) => contextNames.includes(name)) ? names : undefined;
}

interface About<Fallback> {
	readonly fallback: Fallback;
	readonly meaning: string;
}

/** Any text; the processes that get it hold it against the rule. */
function text<Fallback>(about: About<Fallback> & { readonly rule: string }): StartSetting<string, Fallback> {
	return { ...about, parse: (given) => given };
}

/** A whole number from 1 on. */
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
