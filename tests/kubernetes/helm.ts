import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const chart = fileURLToPath(new URL('../../deploy/kubernetes/paddock', import.meta.url));

/** The fields of a Kubernetes object that the tests read. */
export interface Manifest {
	readonly kind: string;
	readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
	// Each kind has its own specification, which the validators check.
	readonly spec: Readonly<Record<string, never>>;
}

/** The text of the chart's objects with these values: `existingSecret=other`. */
export function template(...values: string[]): string {
	return execFileSync('helm', templateWords(values), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function manifests(...values: string[]): readonly Manifest[] {
	const documents = parseAllDocuments(template(...values)).map(
		(document) => document.toJS() as Manifest | null,
	);
	return documents.filter((manifest) => manifest !== null);
}

/** The error of values that the chart refuses. */
export function refusal(...values: string[]): string {
	return spawnSync('helm', templateWords(values), { encoding: 'utf8' }).stderr;
}

// A helm that was built without its version is treated as an old one by Kubernetes.
const version = ['--kube-version', '1.36.0'];

function templateWords(values: readonly string[]): string[] {
	return ['template', 'paddock', chart, '--namespace', 'paddock', ...version, ...setting(values)];
}

export function setting(values: readonly string[]): string[] {
	return values.flatMap((value) => ['--set', value]);
}

export function lint(): void {
	execFileSync('helm', ['lint', '--strict', ...version, chart], { stdio: 'pipe' });
}
