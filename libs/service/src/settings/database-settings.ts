import { z } from 'zod';
import { integerSetting } from './integer-setting.ts';
import { switchSetting } from './settings.ts';

/** The setting for the address of a service's database, e.g. of `horses`. */
export function databaseUrlSetting(database: string) {
	return z
		.string()
		.regex(/^postgres(ql)?:\/\//, `must be an address such as postgres://role:password@host:5432/${database}`)
		.describe(
			'Address of the database, which only this service uses; several servers as `HOST:PORT,HOST:PORT` with `?target_session_attrs=read-write`. With `?connect_timeout=5` a request waits 5 s for a connection instead of 2 s.',
		);
}

/** The settings for the migrations of a service's database. */
export function migrationSettings(database: string) {
	return {
		MIGRATION_DATABASE_URL: databaseUrlSetting(database)
			.optional()
			.describe(
				'Address of the database for migrations, if DATABASE_URL is that of a pooler: the address of the server itself, with the same role. By default DATABASE_URL.',
			),
		MIGRATE_ON_START: switchSetting(true).describe(
			'Whether the service migrates its database at the start. With `off` it refuses to start if a migration is missing; `npm run migrate` migrates.',
		),
	};
}

/** The settings for a streaming standby that serves lists. */
export function readReplicaSettings(database: string) {
	return {
		READ_DATABASE_URL: databaseUrlSetting(database)
			.optional()
			.describe(
				'Address of one streaming standby of the database, from which lists, searches and statistics are read. By default all reads go to DATABASE_URL.',
			),
		READ_LAG_MS_MAX: integerSetting(200, 600_000, 2_000).describe(
			'Maximum lag of that standby, and so the maximum age of a list; beyond it lists are read from DATABASE_URL.',
		),
	};
}
