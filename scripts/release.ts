import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { OpenapiDocument } from './openapi-document.ts';
import { billOfMaterials, licencesText } from './release/bill-of-materials.ts';
import { releasedChangelog } from './release/changelog-text.ts';
import { contractChanges } from './release/contract-changes.ts';
import { mayBreak, releasedContract, releasedFile } from './release/released-contract.ts';

// `npm run release -- X.Y.Z`: sets the version, moves the unreleased changes of CHANGELOG.md to it together with the
// changes of the API, stores the contract that later versions are compared with, and lists the packages that run in production
// (SBOM) with their licences. Commit and tag the result.
const [version = ''] = process.argv.slice(2);
const root = fileURLToPath(new URL('../', import.meta.url));
const changelog = `${root}CHANGELOG.md`;

const released = releasedContract();
const changes = contractChanges(released, currentContract());
const breaking = changes.filter(({ kind }) => kind === 'breaking');
if (!/^\d+\.\d+\.\d+$/.test(version)) fail('Usage: npm run release -- X.Y.Z');
if (version.localeCompare(released.info.version, 'en', { numeric: true }) <= 0)
	fail(`${released.info.version} is released already.`);
if (breaking.length > 0 && !mayBreak(released.info.version, version))
	fail(`${version} must not break clients:\n${breaking.map(({ text }) => `- ${text}`).join('\n')}`);

const npm = (...args: string[]) => execFileSync('npm', args, { cwd: root, stdio: 'inherit' });
// The client library has the version of the project.
npm(
	'version',
	version,
	'--no-git-tag-version',
	'--allow-same-version',
	'--include-workspace-root',
	'--workspace=clients/typescript',
);
npm('run', 'docs');
const day = new Date().toISOString().slice(0, 10);
writeFileSync(changelog, releasedChangelog(readFileSync(changelog, 'utf8'), { version, day, changes }));
writeFileSync(...releasedFile(currentContract()));
const bom = billOfMaterials(root);
mkdirSync(`${root}docs/release`, { recursive: true });
writeFileSync(`${root}docs/release/sbom.cdx.json`, `${JSON.stringify(bom, null, '\t')}\n`);
writeFileSync(`${root}docs/release/licences.md`, licencesText(bom, version));
console.log(`${version} is ready: review CHANGELOG.md, commit, tag.`);

function currentContract(): OpenapiDocument {
	return parse(readFileSync(`${root}openapi.yaml`, 'utf8')) as OpenapiDocument;
}

function fail(reason: string): never {
	console.error(reason);
	process.exit(1);
}
