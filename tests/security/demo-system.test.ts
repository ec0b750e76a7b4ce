import './every-route.ts';
import './role-table.ts';
// Last: it gives a member of the role table an account.
import './account-links.ts';
