/**
 * Plugin for Swagger UI, which shows no `x-error-codes`: each failure is described by the codes of its status. It parses
 * the document as JSON, which Swagger UI would parse as YAML.
 */
export function describedFailures() {
	return {
		statePlugins: {
			spec: {
				wrapActions: {
					parseToJson: (_original, system) => (text) => {
						const document = JSON.parse(text);
						return system.specActions.updateJsonSpec({ ...document, paths: describedPaths(document) });
					},
				},
			},
		},
	};
}

function describedPaths({ paths, components, 'x-error-codes': errors }) {
	const codesOf = (part) => part['x-error-codes'] ?? [];
	const ofOperation = (operation) => ({
		...operation,
		responses: mapValues(operation.responses, (response, status) => {
			const name = response.$ref?.split('/').at(-1);
			const shared = components.responses[name] ?? response;
			if (status === 'default') return { ...shared, description: list(codesOf(shared)) };
			const codes = codesOf(operation).filter((code) => errors[code].status === Number(status));
			return name === undefined || codes.length === 0 ? response : { description: list(codes) };
		}),
	});
	const messagesOf = ({ message, otherMessages = [] }) => [message, ...otherMessages].join(' *or* ');
	const list = (codes) => codes.map((code) => `\`${code}\`: ${messagesOf(errors[code])}`).join('\n\n');
	return mapValues(paths, (item) => mapValues(item, ofOperation));
}

function mapValues(object, change) {
	return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
