/* Starts a program and, some milliseconds after its first message, closes its console as Windows does: its handler
 * for CTRL_CLOSE_EVENT runs in a thread of its own, and when the handler has returned, or after five seconds, the
 * program is ended. The exit status is that of the program if it had ended by itself before.
 *
 *   close_console MILLISECONDS PROGRAM ARGUMENTS... */

#include <stdio.h>
#include <wchar.h>
#include <windows.h>

int wmain(int count, wchar_t **words)
{
    static wchar_t line[4096];
    STARTUPINFOW start = { .cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES };
    SECURITY_ATTRIBUTES inherited = { .nLength = sizeof inherited, .bInheritHandle = TRUE };
    HANDLE messages;
    char first;
    DWORD count_read;
    PROCESS_INFORMATION process;
    DWORD status = 1;
    HANDLE handler;

    for (int i = 2; i < count; i++) {
        wcscat(line, L"\"");
        wcscat(line, words[i]);
        wcscat(line, L"\" ");
    }
    if (!CreatePipe(&messages, &start.hStdError, &inherited, 1 << 20)) return 2;
    start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
    if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) return 3;
    CloseHandle(start.hStdError);
    if (!ReadFile(messages, &first, 1, &count_read, NULL)) return 4;
    Sleep((DWORD)_wtoi(words[1]));
    handler = CreateRemoteThread(process.hProcess, NULL, 0,
        (LPTHREAD_START_ROUTINE)(void *)GetProcAddress(GetModuleHandleW(L"kernel32"), "CtrlRoutine"),
        (void *)(ULONG_PTR)CTRL_CLOSE_EVENT, 0, NULL);
    if (!handler) return 5;
    WaitForSingleObject(handler, 5000);
    /* A handler that returns ends with the status 1; one that waits ends with the program, and with its status. */
    GetExitCodeThread(handler, &status);
    if (status == 1 || status == STILL_ACTIVE) {
        TerminateProcess(process.hProcess, 1);
        return 6;
    }
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &status);
    return (int)status;
}
