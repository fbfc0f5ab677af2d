package dev.sotto.app.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A man page of a command, in the macros of man(7). */
final class ManPage {
  private final StringBuilder text = new StringBuilder();

  private ManPage() {}

  /** The page's name: {@code sotto-alias-set}. */
  static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  /** The whole page. */
  static String of(CommandSpec command) {
    ManPage page = new ManPage();
    page.write(command);
    return page.text.toString();
  }

  private void write(CommandSpec command) {
    List<String> description = Arrays.asList(command.usageMessage().description());
    macro("TH " + name(command).toUpperCase(Locale.ROOT) + " 1 \"\" \"Sotto\"");
    macro("SH NAME");
    line(name(command) + " - " + description.get(0).replaceFirst("\\.$", ""));
    macro("SH SYNOPSIS");
    line(synopsis(command));
    macro("SH DESCRIPTION");
    paragraphs(description);
    List<ArgSpec> parameters =
        command.positionalParameters().stream().<ArgSpec>map(each -> each).toList();
    arguments("PARAMETERS", parameters);
    arguments(
        "OPTIONS",
        command.options().stream()
            .filter(each -> !each.hidden())
            .<ArgSpec>map(each -> each)
            .toList());
    if (!command.subcommands().isEmpty()) {
      macro("SH COMMANDS");
      command.subcommands().values().forEach(each -> {
        CommandSpec below = each.getCommandSpec();
        macro("TP");
        raw("\\fB" + escaped(name(below)) + "\\fR(1)");
        line(below.usageMessage().description()[0]);
      });
    }
    paragraphs(Arrays.asList(command.usageMessage().footer()));
    macro("SH EXIT STATUS");
    line("See docs/exit-codes.md.");
  }

  private static String synopsis(CommandSpec command) {
    return command.commandLine().getHelp().synopsis(0).replaceAll("\\s+", " ").strip();
  }

  private void arguments(String heading, List<ArgSpec> all) {
    if (all.isEmpty()) {
      return;
    }
    macro("SH " + heading);
    all.forEach(each -> {
      macro("TP");
      raw(label(each));
      paragraphs(Arrays.asList(each.description()));
    });
  }

  private static String label(ArgSpec argument) {
    String value = "\\fI" + escaped(argument.paramLabel()) + "\\fR";
    if (!(argument instanceof OptionSpec option)) {
      return value;
    }
    String names = String.join(
        ", ",
        Arrays.stream(option.names())
            .map(each -> "\\fB" + escaped(each) + "\\fR")
            .toList());
    return option.arity().max() == 0 ? names : names + "=" + value;
  }

  private void paragraphs(List<String> paragraphs) {
    for (int i = 0; i < paragraphs.size(); i++) {
      if (i > 0) {
        macro("sp");
      }
      line(paragraphs.get(i));
    }
  }

  private void macro(String macro) {
    text.append('.').append(macro).append('\n');
  }

  private void line(String line) {
    raw(escaped(line.replace("%n", " ").replace("%%", "%")));
  }

  /** A line as it is; one that began with a dot or an apostrophe would be a macro. */
  private void raw(String roff) {
    text.append(roff.startsWith(".") || roff.startsWith("'") ? "\\&" : "")
        .append(roff)
        .append('\n');
  }

  private static String escaped(String line) {
    return line.replace("\\", "\\e").replace("-", "\\-");
  }
}
