/** `node scripts/health-check.ts URL`, the health check of a container: exits with 0 if the response is a 2xx. */
const [, , url = ''] = process.argv;
const { ok, status } = await fetch(url);
if (!ok) console.error(`status ${status}`);
process.exit(ok ? 0 : 1);
