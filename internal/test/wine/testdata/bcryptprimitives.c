// bcryptprimitives.dll for wine 8, which has none: Go asks it for random bytes, and does not start without.
//
//   x86_64-w64-mingw32-gcc -shared -O2 -o bcryptprimitives.dll bcryptprimitives.c -ladvapi32
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T left)
{
	const ULONG most = 1 << 20;
	while (left > 0) {
		ULONG now = left < most ? (ULONG)left : most;
		if (!RtlGenRandom(bytes, now))
			return FALSE;
		bytes += now;
		left -= now;
	}
	return TRUE;
}
