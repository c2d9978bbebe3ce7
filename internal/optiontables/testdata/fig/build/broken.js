export default (
