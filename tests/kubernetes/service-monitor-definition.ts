import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The CustomResourceDefinition of ServiceMonitor, as scripts/install-kubernetes-tools stores it beside the programs. */
export const definitionName = 'servicemonitor-crd.yaml';

/** @returns its file. @throws Error with CI=true if there is none, since no test may be skipped then */
export function definitionOfServiceMonitors({
	PATH = '',
	CI,
}: Readonly<Record<string, string | undefined>>): string | undefined {
	const files = PATH.split(delimiter).map((folder) => join(folder, definitionName));
	const file = files.find((one) => existsSync(one));
	if (file === undefined && CI === 'true') throw new Error(`${definitionName} not found on the PATH`);
	return file;
}
