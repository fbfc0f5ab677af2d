package dev.sotto.app.quality;

import dev.sotto.app.alias.AliasEditor;
import dev.sotto.app.alias.VersionCheck;
import dev.sotto.client.alias.AliasReader;
import dev.sotto.serdes.record.AliasChange;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.failure.SottoException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves an alias to the version of the newest window of metrics where its loss is certainly below
 * that of the alias' present version. It decides on published metrics and the alias alone, changes
 * nothing that somebody has changed meanwhile, and leaves an alias alone that was rolled back or
 * deleted, until somebody sets it. To be used by the thread that follows the metrics.
 */
public final class Gate implements MetricsFollower.Listener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
  private static final Duration AT_ONCE = Duration.ofMillis(1);

  private final String alias;
  private final AliasReader aliases;
  private final AliasEditor editor;
  private final VersionCheck versions;
  private final Predicate<String> learnsHere;
  private final Map<String, ModelWindows> models = new HashMap<>();
  private AliasTarget refused;
  private boolean missing;

  /**
   * A gate before one alias.
   *
   * @param clients Kafka client settings
   * @param learnsHere whether a model is learned by this instance: one of several acts
   */
  public Gate(Map<String, String> clients, String app, String alias, Predicate<String> learnsHere) {
    this.alias = alias;
    this.aliases = new AliasReader(clients, app);
    this.editor = new AliasEditor(clients, app);
    this.versions = new VersionCheck(clients, app);
    this.learnsHere = learnsHere;
  }

  @Override
  public void window(ModelMetrics window) {
    models.computeIfAbsent(window.modelId(), id -> new ModelWindows()).add(window);
  }

  @Override
  public void caughtUp() {
    aliases.poll(AT_ONCE);
    Optional<ModelAlias> present = Optional.ofNullable(aliases.aliases().get(alias));
    if (present.isEmpty() && !missing) {
      LOG.info("gate: there is no alias {} yet; the gate begins once somebody has set it", alias);
    }
    missing = present.isEmpty();
    present
        .flatMap(ModelAlias::target)
        .map(AliasTarget::modelId)
        .map(models::get)
        .ifPresent(windows -> windows
            .move(present.get())
            .filter(move -> !move.target().equals(refused))
            .filter(move -> learnsHere.test(move.target().modelId()))
            .ifPresent(move -> carryOut(present.get(), move)));
  }

  private void carryOut(ModelAlias decidedOn, ModelWindows.Move move) {
    try {
      versions.again(move.target());
      Optional<ModelAlias> now = editor.edit(
          alias,
          found -> found
              .filter(each -> each.newest().number() == decidedOn.newest().number())
              .map(each -> each.set(move.target(), AliasChange.GATE, note(move))));
      LOG.debug(
          "gate: alias {}: {}", alias, now.map(each -> each.newest().note()).orElse(""));
      aliases.readToEnd(); // its own change, so that it does not decide on what was before
    } catch (SottoException failed) {
      refused = move.target(); // until the next window
      LOG.warn("gate: alias {} stays where it is: {}", alias, failed.getMessage());
    }
  }

  private static String note(ModelWindows.Move move) {
    return String.format(
        Locale.ROOT,
        "loss %.4f, at most %.4f, in rounds %d-%d; before %.4f, at least %.4f, in rounds %d-%d",
        move.newest().mean(),
        move.newest().high(),
        move.newest().firstRound(),
        move.newest().lastRound(),
        move.present().mean(),
        move.present().low(),
        move.present().firstRound(),
        move.present().lastRound());
  }

  @Override
  public void close() {
    aliases.close();
  }
}
