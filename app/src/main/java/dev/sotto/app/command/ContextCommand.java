package dev.sotto.app.command;

import dev.sotto.app.context.Context;
import dev.sotto.app.context.Contexts;
import dev.sotto.app.context.Naming;
import dev.sotto.config.source.ConfigEntry;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.Section;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Gives learners and their brokers names that commands know. */
@Command(
    name = "context",
    description = {
      "Give learners and their brokers names, which every command then takes.",
      "Kept in ~/.config/sotto/contexts.yaml ($XDG_CONFIG_HOME). docs/contexts.md."
    },
    subcommands = {
      ContextCommand.SetContext.class,
      ContextCommand.Use.class,
      ContextCommand.ListContexts.class,
      ContextCommand.Show.class,
      ContextCommand.Delete.class
    })
public final class ContextCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(),
        "context needs one of: " + String.join(", ", spec.subcommands().keySet()));
  }

  /** What all of them share. */
  private abstract static class Step implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    Contexts contexts() {
      return Contexts.read(
          spec.root().userObject() instanceof Surroundings all
              ? all.environment()
              : System.getenv());
    }

    int say(String line) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(line);
      out.flush();
      return ExitCode.OK.code();
    }

    int print(Section section, boolean json) {
      PrintWriter out = spec.commandLine().getOut();
      out.print(
          json ? JsonRenderer.of(section) + System.lineSeparator() : TextRenderer.of(section));
      out.flush();
      return ExitCode.OK.code();
    }
  }

  /** One that names a context. */
  private abstract static class Named extends Step {
    @Parameters(index = "0", paramLabel = "NAME", description = "The context.")
    String name;
  }

  /** Makes a context. */
  @Command(
      name = "set",
      description = {
        "Make a context, or give one other values; what is not given stays as it was.",
        "The first context becomes the current one. Files are named, never copied."
      })
  static final class SetContext extends Named {
    @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT", description = "The brokers.")
    private String servers;

    @Option(names = "--app-id", paramLabel = "ID", description = "The learner's app.id.")
    private String appId;

    @Option(
        names = "--command-config",
        paramLabel = "FILE",
        description = "A properties file with Kafka client settings; where it has secrets, its"
            + " owner alone may read it.")
    private Path clients;

    @Option(
        names = {"-c", "--config"},
        paramLabel = "FILE",
        description = "The learner's configuration, for commands that need it.")
    private Path config;

    @Override
    public Integer call() {
      if (clients != null) {
        ClientProperties.readUnshared(clients, "--command-config");
      }
      if (config != null && !Files.isReadable(config)) {
        throw new ParameterException(
            spec.commandLine(), "-c must be a file that can be read, but was " + config);
      }
      Contexts all = contexts();
      Context made = all.set(name, LearnerOptions.settings(appId, servers, clients, config));
      all.write();
      return say("context " + name + ": " + made.text() + current(all));
    }

    private String current(Contexts all) {
      return all.current().filter(name::equals).isPresent()
          ? "; it is the current one"
          : "; to make it the current one: " + ProgramName.called() + " context use " + name;
    }
  }

  /** Chooses the current context. */
  @Command(name = "use", description = "Make a context the current one.")
  static final class Use extends Named {
    @Override
    public Integer call() {
      Contexts all = contexts();
      all.use(name);
      all.write();
      return say("context " + name + " is the current one: " + all.get(name).text());
    }
  }

  /** Deletes a context. */
  @Command(name = "delete", description = "Delete a context; the files that it names stay.")
  static final class Delete extends Named {
    @Override
    public Integer call() {
      Contexts all = contexts();
      boolean current = all.current().filter(name::equals).isPresent();
      all.delete(name);
      all.write();
      return say("context " + name + " is deleted" + (current ? "; none is current now" : ""));
    }
  }

  /** Lists contexts. */
  @Command(name = "list", description = "Print all contexts; a star marks the current one.")
  static final class ListContexts extends Step {
    @Option(names = "--json", description = "Print JSON, in one line.")
    private boolean json;

    @Override
    public Integer call() {
      Contexts all = contexts();
      List<Section> items = new ArrayList<>();
      List<String> lines = new ArrayList<>();
      all.all().forEach((name, context) -> {
        boolean current = all.current().filter(name::equals).isPresent();
        lines.add(String.format("%s %-12s %s", current ? "*" : " ", name, context.text()));
        Section item = Section.untitled().fact("name", name).fact("current", current);
        Context.NAMES.forEach(key -> item.fact(key, context.find(key).orElse(null)));
        items.add(item);
      });
      if (!json && items.isEmpty()) {
        return say("there is no context in " + all.file() + "; make one with: "
            + ProgramName.called() + " context set");
      }
      return json
          ? print(Section.untitled().items("contexts", items), true)
          : say(String.join(System.lineSeparator(), lines));
    }
  }

  /** Says what a command would use. */
  @Command(
      name = "show",
      description = {
        "Print which learner and brokers a command with these flags uses, and what says so of each"
            + " value.",
        "Values of client settings are not printed: they may be secrets."
      })
  static final class Show extends Step {
    @Mixin
    private LearnerOptions options;

    @Option(names = "--json", description = "Print JSON, in one line.")
    private boolean json;

    @Override
    public Integer call() {
      Naming naming = options.naming();
      Optional<LearnerOptions.Chosen> chosen = options.chosen();
      Section section = Section.untitled();
      String context = chosen.map(LearnerOptions.Chosen::name).orElse(null);
      section.fact(
          "context", context, "context            " + (context == null ? "none is used" : context));
      Stream.of(Context.APP_ID, Context.SERVERS)
          .forEach(name -> add(section, name, naming.find(name)));
      section.fact(
          Context.CONFIG,
          options.configFile().map(Path::toString).orElse(null),
          options.configFile().map(each -> "config             " + each).orElse(""));
      naming.clients().forEach((name, entry) -> {
        if (!name.equals(Context.SERVERS)) {
          section.fact(name, entry.origin(), line(name, "set", entry.origin()));
        }
      });
      section.lines(LearnerOptions.PRECEDENCE);
      return print(section, json);
    }

    private static void add(Section section, String name, Optional<ConfigEntry> entry) {
      section.fact(
          name,
          entry
              .map(each -> Map.of("value", each.value(), "from", each.origin()))
              .orElse(null),
          entry
              .map(each -> line(name, String.valueOf(each.value()), each.origin()))
              .orElse(line(name, "-", "not given")));
    }

    private static String line(String name, String value, String origin) {
      return String.format("%-18s %-28s (%s)", name, value, origin);
    }
  }
}
