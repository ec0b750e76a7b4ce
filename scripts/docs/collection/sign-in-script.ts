/** Signs the administrator in before each request without a valid token. A refusal ends the run: further ones lock the account. */
export const signInScript: readonly string[] = [
	// These variables last for one run, or for one request that is sent alone.
	"pm.variables.set('requestsInRun', Number(pm.variables.get('requestsInRun') || 0) + 1);",
	"const known = pm.collectionVariables.get('adminToken');",
	"const isExpired = Date.now() > Number(pm.collectionVariables.get('adminTokenExpires') || 0);",
	"const email = pm.variables.get('adminEmail');",
	"const password = pm.variables.get('adminPassword');",
	'if (password && (!known || isExpired)) {',
	'	pm.sendRequest(',
	'		{',
	"			url: pm.variables.replaceIn('{{baseUrl}}/auth/login'),",
	"			method: 'POST',",
	"			header: { 'Content-Type': 'application/json' },",
	"			body: { mode: 'raw', raw: JSON.stringify({ email, password }) },",
	'		},',
	'		(error, response) => {',
	'			if (response && [401, 423, 429].includes(response.code)) pm.execution.setNextRequest(null);',
	"			if (error || response.code !== 200) return console.error('sign-in failed', error || response.text());",
	'			const { accessToken, expiresIn } = response.json().data;',
	"			pm.collectionVariables.set('adminToken', accessToken);",
	"			pm.collectionVariables.set('adminTokenExpires', Date.now() + (expiresIn - 30) * 1000);",
	'		},',
	'	);',
	'}',
];

/** Runs before a request that is for people only: a run of the collection skips it. */
export const onlyByHand: readonly string[] = [
	"if (pm.variables.get('requestsInRun') > 1) pm.execution.skipRequest();",
];
