// The settings alone, for config.ts and for reports on settings: without the server and its libraries.
export {
	contextPort,
	contextSettings,
	databaseContextSettings,
	databaseUrlSetting,
	developmentSecretOf,
	isDevelopmentSecret,
	jobPollSetting,
	migrationSettings,
	serviceSecretFormat,
} from './context-settings.ts';
export { integerSetting } from './integer-setting.ts';
export { checkSettings, readSettings, type SettingRule, SettingsError, withRules } from './read-settings.ts';
export { fileVariable, isSecretSetting, resolveSecretFiles, variablesOf } from './secret-files.ts';
export { shownSetting } from './setting-violation.ts';
export {
	addressListSetting,
	contextsSetting,
	deployedContextsSetting,
	hostOf,
	listSetting,
	noDemoInProduction,
	portSetting,
	processRules,
	processSettings,
	serviceSettings,
	switchSetting,
} from './settings.ts';
