import { createRequire } from 'node:module';

/** The result of the converter for one operation. */
export interface ConvertedRequest {
	readonly description?: unknown;
	readonly url: {
		readonly path: readonly string[];
		readonly query?: readonly { key: string; value: string | null; description?: unknown }[];
	};
	readonly header?: readonly { key: string; value: string; description?: unknown }[];
	readonly method: string;
}

interface ConvertedItem {
	readonly item?: readonly ConvertedItem[];
	readonly request?: ConvertedRequest;
}

interface Converter {
	convertV2(
		input: { type: 'string'; data: string },
		options: Record<string, unknown>,
		done: (
			error: Error | null,
			result: { result: boolean; reason?: string; output?: { data: ConvertedItem }[] },
		) => void,
	): void;
}

// The package does not type the result.
const converter = createRequire(import.meta.url)('openapi-to-postmanv2') as Converter;

/**
 * Converts an OpenAPI document to Postman requests, by `METHOD /path/{parameter}`.
 * @throws Error with the converter's reason if it cannot read the document
 */
export async function convertedRequests(openapi: string): Promise<ReadonlyMap<string, ConvertedRequest>> {
	const collection = await new Promise<ConvertedItem>((resolve, reject) => {
		converter.convertV2(
			{ type: 'string', data: openapi },
			{ folderStrategy: 'Tags', requestParametersResolution: 'Example' },
			(error, { result, reason, output }) => {
				const data = output?.[0]?.data;
				if (error !== null || !result || data === undefined) reject(error ?? new Error(reason));
				else resolve(data);
			},
		);
	});
	return new Map(requestsIn(collection).map((request) => [keyOf(request), request]));
}

function requestsIn(item: ConvertedItem): readonly ConvertedRequest[] {
	const inside = (item.item ?? []).flatMap(requestsIn);
	return item.request === undefined ? inside : [item.request, ...inside];
}

function keyOf({ method, url }: ConvertedRequest): string {
	return `${method} /${url.path
		.map((part) =>
			part
				.replace(/^:(.+)$/, '{$1}')
				.replace('{{', '{')
				.replace('}}', '}'),
		)
		.join('/')}`;
}
