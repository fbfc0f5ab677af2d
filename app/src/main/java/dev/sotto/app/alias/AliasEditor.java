package dev.sotto.app.alias;

import dev.sotto.client.alias.AliasReader;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.AdminRequests;
import dev.sotto.topology.admin.FencedTransaction;
import dev.sotto.topology.admin.TopicRequirements;
import dev.sotto.topology.admin.TopicSetup;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.Names;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * Reads and changes the aliases of an application. Changes of several people and programs come one
 * after the other: each is decided on what was in force when it is written, and none is lost.
 */
public final class AliasEditor {
  private static final int ATTEMPTS = 20;
  private static final short DEFAULT_REPLICATION = -1;
  private static final Duration STEP = Duration.ofMillis(20);
  private static final Duration VISIBLE = Duration.ofSeconds(30);

  private final Map<String, String> clients;
  private final String app;

  /** An editor of one application's aliases. */
  public AliasEditor(Map<String, String> clients, String app) {
    this.clients = clients;
    this.app = app;
  }

  /** All aliases, by name; deleted ones too. */
  public SortedMap<String, ModelAlias> read() {
    try (AliasReader reader = new AliasReader(clients, app)) {
      return reader.readToEnd().aliases();
    } catch (KafkaException failed) {
      throw CommittedTopic.explained(
          failed, true, Names.aliases(app), clients.get("bootstrap.servers"));
    }
  }

  /**
   * Changes an alias; afterwards every reader sees the change.
   *
   * @param change what is to be in force, given what is; empty in is no alias, empty out is no
   *     change. It may be asked several times, and may refuse by throwing.
   * @return what is in force then
   * @throws SottoException where reading or writing fails, or the topic is not as it must be
   */
  public Optional<ModelAlias> edit(String alias, UnaryOperator<Optional<ModelAlias>> change) {
    try (Admin admin = AdminClients.of(clients)) {
      new TopicSetup(admin, clients.get("bootstrap.servers"), DEFAULT_REPLICATION)
          .require(TopicRequirements.aliases(app));
    }
    String topic = Names.aliases(app);
    FencedTransaction transaction =
        new FencedTransaction(clients, topic, "alias " + alias + " to topic " + topic);
    for (int i = 1; ; i++) {
      try {
        return attempt(transaction, alias, change);
      } catch (ProducerFencedException raced) {
        pause(i, raced);
      }
    }
  }

  private Optional<ModelAlias> attempt(
      FencedTransaction transaction, String alias, UnaryOperator<Optional<ModelAlias>> change) {
    Decision decision = new Decision();
    transaction.run(() -> {
      Optional<ModelAlias> before = Optional.ofNullable(read().get(alias));
      Optional<ModelAlias> after = change.apply(before);
      decision.inForce = after.or(() -> before);
      decision.written = after;
      return after.stream()
          .map(each ->
              new ProducerRecord<>(Names.aliases(app), 0, each.key(), Codecs.ALIAS.encode(each)))
          .toList();
    });
    decision.written.ifPresent(each -> awaitVisible(alias, each));
    return decision.inForce;
  }

  /** The marker that makes a commit visible is written a moment after the commit returns. */
  private void awaitVisible(String alias, ModelAlias written) {
    long deadline = System.nanoTime() + VISIBLE.toNanos();
    try (AliasReader reader = new AliasReader(clients, app)) {
      reader.readToEnd();
      while (!isVisible(reader.aliases().get(alias), written)) {
        if (System.nanoTime() - deadline > 0) {
          throw new SottoException(
              FailureKind.IN_USE,
              "the change of alias " + alias + " is committed, but another transaction that is open"
                  + " in topic " + Names.aliases(app)
                  + " hides it: readers see it as soon as that one ends");
        }
        reader.poll(STEP);
      }
    } catch (KafkaException failed) {
      throw CommittedTopic.explained(
          failed, true, Names.aliases(app), clients.get("bootstrap.servers"));
    }
  }

  private static boolean isVisible(ModelAlias seen, ModelAlias written) {
    return seen != null && seen.newest().number() >= written.newest().number();
  }

  /** What one attempt found right. */
  private static final class Decision {
    private Optional<ModelAlias> inForce = Optional.empty();
    private Optional<ModelAlias> written = Optional.empty();
  }

  private void pause(int attempt, RuntimeException raced) {
    if (attempt >= ATTEMPTS) {
      throw new SottoException(
          FailureKind.IN_USE,
          "others keep changing the aliases of " + app + "; try again in a moment",
          raced);
    }
    AdminRequests.pause(50L * attempt);
  }
}
