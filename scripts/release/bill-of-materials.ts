import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a CycloneDX document that this script reads and writes. */
export interface BillOfMaterials {
	readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string } };
	readonly components: readonly Component[];
	readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface Component {
	/** `express@5.3.0` */
	readonly 'bom-ref': string;
	readonly name: string;
	readonly version: string;
	readonly purl: string;
	readonly properties?: readonly { readonly name: string }[];
	readonly licenses?: readonly {
		readonly license?: { readonly id?: string };
		readonly expression?: string;
	}[];
}

const ownPackages = 'pkg:npm/%40paddock/';

const ofDevelopment = 'cdx:npm:package:development';

/**
 * The packages that run in production, from the lockfile alone: installed packages would add the addresses of the registry that
 * they came from. npm's own `--omit=dev` also omits what one workspace needs for development and another one in production.
 * @throws Error naming packages that npm does not list
 */
export function billOfMaterials(folder: string): BillOfMaterials {
	const words = ['sbom', '--sbom-format=cyclonedx', '--workspaces', '--package-lock-only'];
	const text = execFileSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
	const bom: BillOfMaterials = JSON.parse(text);
	const missing = lockedForProduction(folder);
	const components = bom.components.filter(
		({ 'bom-ref': ref, purl }) => missing.delete(ref) || purl.startsWith(ownPackages),
	);
	if (missing.size > 0) throw new Error(`npm does not list ${[...missing].join(', ')}`);
	const { component: root } = bom.metadata;
	const kept = new Set([root, ...components].map((component) => component['bom-ref']));
	return {
		...bom,
		// npm takes the name from the folder.
		metadata: { ...bom.metadata, component: { ...root, name: 'paddock' } },
		components: components.map(({ properties = [], ...component }) => ({
			...component,
			properties: properties.filter(({ name }) => name !== ofDevelopment),
		})),
		dependencies: bom.dependencies
			.filter(({ ref }) => kept.has(ref))
			.map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) })),
	};
}

interface Locked {
	readonly name?: string;
	readonly version?: string;
	readonly dev?: boolean;
	readonly link?: boolean;
}

/** `express@5.3.0` of each package that the lockfile needs outside of development. */
function lockedForProduction(folder: string): Set<string> {
	const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
		packages: Readonly<Record<string, Locked>>;
	};
	const needed = Object.entries(packages).flatMap(([path, { name, version, dev, link }]) => {
		const [, own] = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
		return own === undefined || dev === true || link === true ? [] : [`${name ?? own}@${version}`];
	});
	return new Set(needed);
}

/** The licence of each package of others, in Markdown. @throws Error naming packages that state none */
export function licencesText({ components }: BillOfMaterials, version: string): string {
	const others = components.filter(({ purl }) => !purl.startsWith(ownPackages));
	const stated = others.map((component) => ({ ref: component['bom-ref'], licence: licenceOf(component) }));
	const without = stated.filter(({ licence }) => licence === undefined).map(({ ref }) => ref);
	if (without.length > 0) throw new Error(`no licence is stated by ${without.join(', ')}`);
	const rows = stated.map(({ ref, licence }) => {
		const at = ref.lastIndexOf('@');
		return `| ${ref.slice(0, at)} | ${ref.slice(at + 1)} | ${licence} |`;
	});
	return [
		'<!-- Written by `npm run release`. Do not edit. -->\n',
		`# Licences of version ${version}\n`,
		'The packages that run in production, with the licences that they state; their texts are in the folders of the packages in',
		'`node_modules`, and in the image. [sbom.cdx.json](sbom.cdx.json) lists the same packages with their hashes. Node.js (MIT) and',
		'PostgreSQL (PostgreSQL licence) run beside them.\n',
		'| package | version | licence |',
		'|---|---|---|',
		...rows.toSorted(),
		'',
	].join('\n');
}

function licenceOf({ licenses = [] }: Component): string | undefined {
	const names = licenses.map(({ license, expression }) => expression ?? license?.id);
	return names.length === 0 || names.includes(undefined) ? undefined : names.join(' AND ');
}
