// The explorer sends If-Match with a change when it has read the record before, so that trying out overwrites no other change.

const etags = new Map();

/** Adds the ETag that was last received for the address, unless the user gave a condition. */
export function addPrecondition(request) {
	const etag = ['PATCH', 'PUT'].includes(request.method) ? etags.get(addressOf(request.url)) : undefined;
	if (etag === undefined || hasCondition(request.headers)) return request;
	return { ...request, headers: { ...request.headers, 'If-Match': etag } };
}

/** Keeps the ETag of a record that was read or written; of a creation for the record's own address. */
export function keepVersion(response) {
	const { etag, location } = response.headers ?? {};
	if (response.ok && etag !== undefined) etags.set(addressOf(location ?? response.url), etag);
	return response;
}

function hasCondition(headers = {}) {
	return Object.entries(headers).some(([name, value]) => /^if-match$/i.test(name) && value !== '');
}

function addressOf(url) {
	return new URL(url, document.baseURI).pathname;
}
