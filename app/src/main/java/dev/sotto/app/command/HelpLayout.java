package dev.sotto.app.command;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.IOptionRenderer;
import picocli.CommandLine.Help.IParameterRenderer;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * How --help is set: the list of commands in groups, and lines that are broken between words only.
 * Picocli would also break {@code docs/wire-format.md} or {@code --app-id} behind a dot or a dash,
 * so that neither could be searched for.
 */
public final class HelpLayout {
  private static final int NAMES = 14;
  private static final String BREAKING = ".-/:,=|";
  private static final String LETTERS =
      "\uA500\uA501\uA502\uA503\uA504\uA505\uA506"; // of the Vai script: as good as any

  private static final Pattern COLORS = Pattern.compile("\u001B\\[[0-9;]*m");

  private HelpLayout() {}

  /** Commands that are shown below one heading. */
  public record Group(String heading, List<Class<?>> commands) {
    /** The same. */
    public Group(String heading, Class<?>... commands) {
      this(heading, List.of(commands));
    }
  }

  /** Sets the help of a command line, whose commands are in these groups. */
  public static void set(CommandLine line, List<Group> groups) {
    var sections = line.getHelpSectionMap();
    sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
    sections.put(
        UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
        help -> groups.stream().map(each -> text(help, each)).collect(Collectors.joining()));
    line.setHelpFactory(WholeWords::new);
    restore(line);
  }

  private static void restore(CommandLine line) {
    line.getHelpSectionMap().replaceAll((key, section) -> help -> apart(section.render(help)));
    line.getSubcommands().values().forEach(HelpLayout::restore);
  }

  private static String text(Help help, Group group) {
    int width = help.commandSpec().usageMessage().width();
    TextTable table = TextTable.forColumns(
        help.colorScheme(),
        new Column(NAMES, 2, Overflow.SPAN),
        new Column(width - NAMES, 0, Overflow.WRAP));
    help.subcommands().values().stream()
        .filter(
            each -> group.commands().contains(each.commandSpec().userObject().getClass()))
        .forEach(each -> table.addRowValues(
            help.colorScheme().commandText(each.commandSpec().name()),
            help.colorScheme().text(together(each.commandSpec().usageMessage().description()[0]))));
    return System.lineSeparator() + group.heading() + ":" + System.lineSeparator() + table;
  }

  /** With letters where a line would be broken within a word. */
  private static String together(String text) {
    StringBuilder whole = new StringBuilder(text);
    for (int i = 0; i + 1 < whole.length(); i++) {
      int which = BREAKING.indexOf(whole.charAt(i));
      if (which >= 0 && !Character.isWhitespace(whole.charAt(i + 1))) {
        whole.setCharAt(i, LETTERS.charAt(which));
      }
    }
    return whole.toString();
  }

  private static String apart(String text) {
    String apart = text;
    for (int i = 0; i < BREAKING.length(); i++) {
      apart = apart.replace(LETTERS.charAt(i), BREAKING.charAt(i));
    }
    return apart;
  }

  /** Help whose texts hold letters where a line would be broken within a word. */
  private static final class WholeWords extends Help {
    WholeWords(CommandSpec command, ColorScheme colors) {
      super(command, colors);
    }

    @Override
    public String description(Object... parameters) {
      UsageMessageSpec usage = commandSpec().usageMessage();
      return with(usage.description(), usage::description, () -> super.description(parameters));
    }

    @Override
    public String footer(Object... parameters) {
      UsageMessageSpec usage = commandSpec().usageMessage();
      return with(usage.footer(), usage::footer, () -> super.footer(parameters));
    }

    /** Broken between words only, and indented to what stands behind the command's name. */
    @Override
    protected String insertSynopsisCommandName(int headingLength, Text details) {
      String name = commandSpec().qualifiedName();
      int width = commandSpec().usageMessage().width();
      int indent = Math.min(headingLength + name.length() + 1, width / 3);
      StringBuilder lines = new StringBuilder(colorScheme().commandText(name).toString());
      int column = headingLength + name.length();
      for (String word : details.toString().strip().split(" +")) {
        int length = COLORS.matcher(word).replaceAll("").length();
        if (column > indent && column + 1 + length > width) {
          lines.append(System.lineSeparator()).append(" ".repeat(indent));
          column = indent;
        } else {
          lines.append(' ');
          column++;
        }
        lines.append(word);
        column += length;
      }
      return lines.append(System.lineSeparator()).toString();
    }

    private static String with(String[] own, Consumer<String[]> set, Supplier<String> rendered) {
      set.accept(Arrays.stream(own).map(HelpLayout::together).toArray(String[]::new));
      try {
        return rendered.get();
      } finally {
        set.accept(own);
      }
    }

    @Override
    public IOptionRenderer createDefaultOptionRenderer() {
      IOptionRenderer own = super.createDefaultOptionRenderer();
      return (option, label, colors) -> lastTogether(own.render(option, label, colors));
    }

    @Override
    public IParameterRenderer createDefaultParameterRenderer() {
      IParameterRenderer own = super.createDefaultParameterRenderer();
      return (parameter, label, colors) -> lastTogether(own.render(parameter, label, colors));
    }

    /** The descriptions are in the last column. */
    private Text[][] lastTogether(Text[][] rows) {
      for (Text[] row : rows) {
        int last = row.length - 1;
        row[last] = colorScheme().text(together(row[last].plainString()));
      }
      return rows;
    }
  }
}
