import { integerSetting, portSetting, readSettings, serviceSettings, switchSetting } from '@paddock/service';
import { z } from 'zod';

const settings = z
	.object({
		...serviceSettings,
		PORT: portSetting(8083),
		DATABASE_URL: z
			.string()
			.regex(
				/^postgres(ql)?:\/\//,
				'must be an address such as postgres://role:password@host:5432/masterdata',
			),
		DATABASE_POOL_MAX: integerSetting(1, 100, 10),
		/** Puts invented venues in. */
		DEMO: switchSetting(false),
	})
	.refine(({ DEMO, NODE_ENV }) => !(DEMO && NODE_ENV === 'production'), {
		path: ['DEMO'],
		message: 'must be off in production',
	});

export type MasterdataSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(
	env: Readonly<Record<string, string | undefined>> = process.env,
): MasterdataSettings {
	return readSettings(settings, env);
}

/** The settings' names, for whoever checks that a deployment file sets only what exists. */
export const settingNames: readonly string[] = Object.keys(settings.shape);
