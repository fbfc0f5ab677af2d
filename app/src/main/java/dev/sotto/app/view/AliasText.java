package dev.sotto.app.view;

import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.Table;
import dev.sotto.serdes.record.AliasChange;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Aliases as tables, and as they are in JSON. */
public final class AliasText {
  private static final String NOTHING = "-";

  private AliasText() {}

  /** An alias in JSON. */
  public record Shown(String alias, Change change) {}

  /**
   * A change in JSON.
   *
   * @param number 1 for the first change
   * @param names null where the alias was deleted
   * @param restores the change that a rollback went back to; null for others
   * @param time null where it is not known yet
   */
  public record Change(
      long number, Place names, Long restores, String by, String note, String time) {}

  /** A version in JSON. */
  public record Place(String model, long version, byte[] runId) {}

  /** What an alias is in JSON. */
  public static Shown shown(ModelAlias alias) {
    return new Shown(alias.alias(), shown(alias.newest()));
  }

  /** What a change is in JSON. */
  public static Change shown(AliasChange change) {
    return new Change(
        change.number(),
        change
            .target()
            .map(each -> new Place(each.modelId(), each.version(), each.runId()))
            .orElse(null),
        change.isRollback() ? change.restores() : null,
        change.by(),
        change.note(),
        change.time() < 0 ? null : time(change));
  }

  /** What an alias names, in one line. */
  public static String line(ModelAlias alias) {
    AliasChange newest = alias.newest();
    return alias.alias()
        + newest.target().map(each -> " names " + each).orElse(" was deleted")
        + " (change " + newest.number()
        + (newest.isRollback() ? ", back to that of change " + newest.restores() : "") + ")";
  }

  /** Aliases, one in each line. */
  public static List<String> table(List<ModelAlias> all) {
    if (all.isEmpty()) {
      return List.of("there is no alias yet: `sotto alias set NAME MODEL@VERSION` makes one");
    }
    Table table = Table.headed(List.of("alias", "version", "change", "since"));
    for (ModelAlias each : all) {
      AliasChange newest = each.newest();
      table.line(
          List.of(
              each.alias(), text(newest.target()), Long.toString(newest.number()), time(newest)),
          said(newest));
    }
    return TextRenderer.of(table).lines().toList();
  }

  /** The changes of one alias. */
  public static List<String> history(ModelAlias alias) {
    Table table = Table.headed(List.of("change of " + alias.alias(), "version", "time"));
    alias
        .changes()
        .forEach(each -> table.line(
            List.of(Long.toString(each.number()), text(each.target()), time(each)), said(each)));
    return TextRenderer.of(table).lines().toList();
  }

  private static String text(Optional<AliasTarget> target) {
    return target.map(AliasTarget::toString).orElse(NOTHING);
  }

  private static String time(AliasChange change) {
    return change.time() < 0 ? NOTHING : Instant.ofEpochMilli(change.time()).toString();
  }

  private static String said(AliasChange change) {
    String kind = change.isRollback()
        ? "back to change " + change.restores()
        : change.target().isEmpty() ? "deleted" : "";
    return List.of(kind, change.by(), change.note()).stream()
        .filter(each -> !each.isEmpty())
        .reduce((one, more) -> one + ": " + more)
        .orElse("");
  }
}
