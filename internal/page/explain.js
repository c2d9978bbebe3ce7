// The page of permgate explain --html.
const decision = JSON.parse(document.getElementById('data').textContent);
theme();
document.querySelector('header').append(el('h1', {}, 'permgate: ' + told(decision.answer)));
section('answer', 'Answer', answer(decision), remarks(decision));
section('steps', 'Steps', steps(decision));
section('parts', 'Parts of the call', tree(decision));
document.querySelector('footer').append('Nothing on this page was executed, and it makes no request.');
