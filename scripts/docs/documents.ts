import { contractText } from '../../clients/typescript/scripts/contract-text.ts';
import { contextsFileText } from '../../gateway/src/contexts/contexts-file.ts';
import { migratedContexts } from '../migrate/context-migrations.ts';
import { collectionText, environmentText } from './collection/collection-text.ts';
import { chartContextsText, chartPath, chartText } from './deployment/chart-contexts-text.ts';
import { composeText, envExampleText } from './deployment/compose-text.ts';
import { domainText } from './domain/domain-text.ts';
import { checksumsPath, checksumsText } from './migrations/released-migrations.ts';
import { openapiDocument, openapiYaml, version } from './openapi-text.ts';
import { privacyText } from './privacy/privacy-text.ts';
import { settingsText } from './settings/settings-text.ts';

/** All generated files except sources and contracts, as pairs of path and text. */
export async function documents(): Promise<readonly (readonly [string, string])[]> {
	const document = openapiDocument();
	const checksums = migratedContexts().map(
		async (context) => [checksumsPath(context), await checksumsText(context)] as const,
	);
	return [
		['openapi.yaml', await openapiYaml()],
		['docs/contexts-file.schema.json', contextsFileText()],
		['postman/collection.json', collectionText(document)],
		['postman/environment.json', environmentText()],
		['clients/typescript/src/contract.generated.ts', await contractText(document)],
		['docs/domain.md', domainText()],
		['docs/privacy.md', await privacyText()],
		['docs/settings.md', settingsText()],
		['docker-compose.yml', composeText(version)],
		['deploy/kubernetes/paddock/contexts.yaml', await chartContextsText()],
		[chartPath, chartText(version)],
		['.env.example', envExampleText()],
		...(await Promise.all(checksums)),
	];
}
