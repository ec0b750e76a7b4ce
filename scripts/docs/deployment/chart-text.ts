import { readFileSync } from 'node:fs';

export const chartPath = 'deploy/kubernetes/paddock/Chart.yaml';

/** Chart.yaml with the version of the project, which is also the default tag of the image. */
export function chartText(version: string): string {
	const text = readFileSync(new URL(`../../../${chartPath}`, import.meta.url), 'utf8');
	return text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`);
}
