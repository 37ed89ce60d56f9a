/** A push of a code host, with the members that its message needs. */
export function pushDelivery() {
  const repository = 'https://code.example/acme/rocket';
  const ada = {
    login: 'ada',
    html_url: 'https://code.example/ada',
    avatar_url: 'https://code.example/ada.png',
  };
  const commit = (id: string, message: string) => ({
    id,
    message,
    url: `${repository}/commit/${id}`,
    author: { name: 'Ada Lovelace' },
  });
  return {
    ref: 'refs/heads/main',
    compare: `${repository}/compare/1a410ef...9fceb02`,
    commits: [
      commit('cac0cab538b970a37ea1e769cbbde608743bc96d', 'Light the second stage later'),
      commit('9fceb02d0ae598e95dc970b74767f19372d61af8', 'Count down in whole seconds'),
    ],
    repository: { full_name: 'acme/rocket', name: 'rocket', html_url: repository },
    sender: ada,
  };
}
