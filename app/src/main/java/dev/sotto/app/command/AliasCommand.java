package dev.sotto.app.command;

import dev.sotto.app.alias.AliasEditor;
import dev.sotto.app.alias.VersionCheck;
import dev.sotto.app.view.AliasText;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.serdes.record.AliasChange;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Names published versions, and says what the names stand for. */
@Command(
    name = "alias",
    description = {
      "Name published versions of models: readers that follow an alias change within a second.",
      "The learner never reads aliases. docs/aliases.md."
    },
    subcommands = {
      AliasCommand.SetAlias.class,
      AliasCommand.ListAliases.class,
      AliasCommand.History.class,
      AliasCommand.Rollback.class,
      AliasCommand.Delete.class
    })
public final class AliasCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(),
        "alias needs one of: " + String.join(", ", spec.subcommands().keySet()));
  }

  /** What all of them share. */
  private abstract static class Step implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Mixin
    private LearnerOptions cluster;

    @Option(names = "--json", description = "Print JSON, in one line.")
    private boolean json;

    AliasEditor editor() {
      return new AliasEditor(cluster.clients(), cluster.appId());
    }

    VersionCheck versions() {
      return new VersionCheck(cluster.clients(), cluster.appId());
    }

    String checked(String alias) {
      try {
        return ModelAlias.requireName(alias);
      } catch (IllegalArgumentException wrong) {
        throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
      }
    }

    ModelAlias existing(String alias, SortedMap<String, ModelAlias> all) {
      ModelAlias found = all.get(alias);
      if (found == null) {
        throw new SottoException(
            FailureKind.USAGE,
            "there is no alias " + alias + " of " + cluster.appId()
                + (all.isEmpty() ? "" : "; there are " + String.join(", ", all.keySet())));
      }
      return found;
    }

    int print(Object value, List<String> lines) {
      var out = spec.commandLine().getOut();
      if (json) {
        out.println(JsonRenderer.of(value));
      } else {
        lines.forEach(out::println);
      }
      out.flush();
      return ExitCode.OK.code();
    }

    int changed(ModelAlias alias) {
      return print(AliasText.shown(alias), List.of(AliasText.line(alias)));
    }
  }

  /** One that changes an alias. */
  private abstract static class Change extends Step {
    @Parameters(index = "0", paramLabel = "ALIAS", description = "The alias.")
    String alias;

    @Option(
        names = "--by",
        paramLabel = "WHO",
        defaultValue = "",
        description = "Who changes it: kept in the history, for everybody who may read it.")
    String by;

    @Option(
        names = "--note",
        paramLabel = "WHY",
        defaultValue = "",
        description = "Why: kept in the history, for everybody who may read it.")
    String note;

    @Option(
        names = "--expect",
        paramLabel = "NUMBER",
        description =
            "Refuse (exit code 14) unless this is the number of the newest change: 0 for no alias.")
    Long expect;

    /** Somebody else's change in between must not be undone unseen. */
    Optional<ModelAlias> expected(Optional<ModelAlias> found, OptionalLong number) {
      long is = found.map(each -> each.newest().number()).orElse(0L);
      if (number.isPresent() && number.getAsLong() != is) {
        throw new SottoException(
            FailureKind.IN_USE,
            "alias " + alias + " has been changed meanwhile: its newest change is number " + is
                + found.map(each -> " (" + AliasText.line(each) + ")").orElse("")
                + ", expected was " + number.getAsLong() + ". Nothing was changed");
      }
      return found;
    }

    OptionalLong expectation() {
      return expect == null ? OptionalLong.empty() : OptionalLong.of(expect);
    }

    ModelAlias edit(UnaryOperator<Optional<ModelAlias>> change) {
      return editor().edit(alias, change).orElseThrow();
    }

    String by() {
      if (by.equals(AliasChange.GATE)) {
        throw new ParameterException(
            spec.commandLine(), "--by " + AliasChange.GATE + " is what the gate says of itself");
      }
      return by;
    }
  }

  /** Sets an alias. */
  @Command(
      name = "set",
      description = {
        "Let an alias name a published version, checked against its digest and the ledger.",
        "Ends with 10 where there is no such version, or retention took it."
      })
  static final class SetAlias extends Change {
    @Parameters(
        index = "1",
        paramLabel = "MODEL@VERSION",
        converter = NamedVersion.Converter.class,
        description = "The version, or newest for the newest there is, as in m@newest.")
    private NamedVersion version;

    @Override
    public Integer call() {
      checked(alias);
      by();
      AliasTarget target = target();
      return changed(edit(found -> {
        expected(found, expectation());
        return found.isEmpty()
            ? Optional.of(ModelAlias.first(alias, target, by, note))
            : found.filter(each -> !isThere(each, target)).map(each -> each.set(target, by, note));
      }));
    }

    /** Setting again what a rollback or the gate chose makes it this person's choice. */
    private static boolean isThere(ModelAlias alias, AliasTarget target) {
      return alias.target().equals(Optional.of(target))
          && !alias.newest().isRollback()
          && !alias.newest().by().equals(AliasChange.GATE);
    }

    private AliasTarget target() {
      if (!version.named()) {
        throw new ParameterException(
            spec.commandLine(),
            "MODEL@VERSION must be a model's id, @ and a version's number or newest, but was "
                + version.model() + ": `sotto snapshot` shows both");
      }
      return version.number().isEmpty()
          ? versions().newest(version.model())
          : versions().version(version.model(), version.number().getAsLong());
    }
  }

  /** Lists aliases. */
  @Command(name = "list", description = "Print what every alias names.")
  static final class ListAliases extends Step {
    @Override
    public Integer call() {
      List<ModelAlias> all = editor().read().values().stream()
          .filter(each -> each.target().isPresent())
          .toList();
      return print(all.stream().map(AliasText::shown).toList(), AliasText.table(all));
    }
  }

  /** Prints an alias' changes. */
  @Command(
      name = "history",
      description = "Print the last changes of an alias, newest first: 21 at most are kept.")
  static final class History extends Step {
    @Parameters(index = "0", paramLabel = "ALIAS", description = "The alias.")
    private String alias;

    @Override
    public Integer call() {
      ModelAlias found = existing(checked(alias), editor().read());
      return print(found.changes().map(AliasText::shown).toList(), AliasText.history(found));
    }
  }

  /** Goes back. */
  @Command(
      name = "rollback",
      description = {
        "Let an alias name what it named before; again for one more step back.",
        "The gate leaves the alias alone from then on, until somebody sets it."
      })
  static final class Rollback extends Change {
    @Override
    public Integer call() {
      ModelAlias now = existing(checked(alias), editor().read());
      by();
      expected(Optional.of(now), expectation());
      AliasChange back = now.back()
          .orElseThrow(() -> new SottoException(
              FailureKind.USAGE,
              "alias " + alias + " has nothing to go back to in what is kept of its history:"
                  + " `sotto alias history` shows it"));
      versions().again(back.target().orElseThrow());
      // Two people who roll back at the same time mean one step.
      OptionalLong number = OptionalLong.of(now.newest().number());
      return changed(
          edit(found -> expected(found, number).map(each -> each.rollback(back, by, note))));
    }
  }

  /** Deletes an alias. */
  @Command(
      name = "delete",
      description = "Let an alias name nothing; its history stays, and rollback undoes it.")
  static final class Delete extends Change {
    @Override
    public Integer call() {
      existing(checked(alias), editor().read());
      by();
      return changed(edit(found -> expected(found, expectation())
          .filter(each -> each.target().isPresent())
          .map(each -> each.delete(by, note))));
    }
  }
}
