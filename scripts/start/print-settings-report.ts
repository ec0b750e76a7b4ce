import { settingsReport } from './settings-report.ts';

// Run by check-settings.ts.
process.stdout.write(JSON.stringify(await settingsReport(process.env)));
