package dev.sotto.app.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script with which a shell completes commands and options. */
@Command(
    name = "completion",
    description = {
      "Print a script with which bash or zsh completes commands and options.",
      "Once: source <(sotto completion bash). For every shell, put this line into ~/.bashrc, or"
          + " with zsh into ~/.zshrc. sotto must be on the PATH (docs/installation.md)."
    })
public final class CompletionCommand implements Callable<Integer> {
  /** Shells for which there is a script. */
  enum Shell {
    BASH,
    ZSH
  }

  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (shell == Shell.ZSH) {
      out.println("autoload -Uz compinit && compinit");
    }
    out.print(
        AutoComplete.bash(spec.root().name(), spec.root().commandLine())); // it has a part for zsh
    out.flush();
    return ExitCode.OK.code();
  }
}
