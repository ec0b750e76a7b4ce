import { statusOf } from './wait-until-ready.ts';

const ofGateway = [
	['Explorer', '/docs'],
	['OpenAPI', '/openapi.yaml'],
	['Postman', '/postman/collection.json'],
] as const;

/**
 * The pages that this deployment serves: label → address. The status page is on the port of the operations pages and may be
 * off (STATUS_PAGE).
 */
export async function existingPages(
	{ gatewayUrl, operationsUrl }: { readonly gatewayUrl: string; readonly operationsUrl: string },
	signal: AbortSignal,
): Promise<(readonly [string, string])[]> {
	const candidates = [
		...ofGateway.map(([label, path]) => [label, `${gatewayUrl}${path}`] as const),
		['Status', `${new URL(operationsUrl).origin}/status`] as const,
	];
	const pages: (readonly [string, string])[] = [];
	for (const page of candidates) if ((await statusOf(page[1], signal)) === 200) pages.push(page);
	return pages;
}
