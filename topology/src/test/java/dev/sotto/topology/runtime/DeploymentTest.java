package dev.sotto.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.Trial;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.settings.TopicRequirement.Count;
import dev.sotto.topology.settings.TopicRequirement.Party;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.TopologyDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeploymentTest {
  @TempDir
  Path folder;

  private Deployment of(Layout layout) {
    return Deployment.of(
        Trial.settings(layout, Trial.ONE, Trial.plan(4, 5)),
        Trial.service(folder, Map.of("bootstrap.servers", "nowhere:1")));
  }

  private Deployment withCopies(Layout layout) {
    ServiceSettings usual = Trial.service(folder, Map.of("bootstrap.servers", "nowhere:1"));
    var client = new RegistryClient(URI.create("http://nowhere"), () -> "", Optional.empty());
    var copies = new RegistryCopies(client, Set.of(RegistryCopies.Kind.values()), true);
    return Deployment.of(
        Trial.settings(layout, Trial.ONE, Trial.plan(4, 5)),
        new ServiceSettings(
            usual.clients(),
            folder,
            new ServiceSettings.FirstStart((short) 1, false, Duration.ZERO, Optional.of(copies)),
            1,
            usual.transactionTimeout()));
  }

  private static TopicRequirement need(Deployment blueprint, String topic) {
    return blueprint.everyTopic().stream()
        .filter(each -> each.topic().equals(topic))
        .findFirst()
        .orElseThrow();
  }

  /** A layout with a topic that the table lacks fails here. */
  @ParameterizedTest
  @EnumSource
  void namesEveryTopicThatIsDrawnAndNoOther(Layout layout) {
    requireEveryTopic(of(layout), layout);
    Deployment copied = withCopies(layout);
    requireEveryTopic(copied, layout);
    assertThat(need(copied, Trial.APP + ".ledger.registry").outside()).isTrue();
    assertThat(need(copied, Trial.APP + ".snapshots.registry").settings())
        .containsEntry("cleanup.policy", "compact");
  }

  private static void requireEveryTopic(Deployment blueprint, Layout layout) {
    Set<String> drawn = new TreeSet<>();
    if (layout.keepsOrder()) {
      drawn.add(blueprint.events().topic()); // the trainer reads it by itself
    }
    blueprint.topology().subtopologies().stream()
        .flatMap(part -> part.nodes().stream())
        .forEach(node -> {
          if (node instanceof TopologyDescription.Source source) {
            drawn.addAll(source.topicSet());
          } else if (node instanceof TopologyDescription.Sink sink) {
            drawn.add(sink.topic());
          } else if (node instanceof TopologyDescription.Processor processor) {
            processor.stores().forEach(store -> drawn.add(Names.changelog(Trial.APP, store)));
          }
        });
    assertThat(blueprint.everyTopic())
        .extracting(TopicRequirement::topic)
        .containsExactlyInAnyOrderElementsOf(drawn);
  }

  @ParameterizedTest
  @EnumSource
  void saysOfEveryTopicWhoReadsAndWritesItAsItIsDrawn(Layout layout) {
    Deployment blueprint = of(layout);
    for (TopologyDescription.Subtopology part : blueprint.topology().subtopologies()) {
      for (TopologyDescription.Node node : part.nodes()) {
        if (node instanceof TopologyDescription.Source source) {
          source
              .topicSet()
              .forEach(topic -> assertThat(need(blueprint, topic).isRead()).isTrue());
        } else if (node instanceof TopologyDescription.Sink sink) {
          assertThat(need(blueprint, sink.topic()).isWritten()).isTrue();
        }
      }
    }
    assertThat(need(blueprint, Trial.EVENTS).isWritten()).isFalse();
    assertThat(need(blueprint, Names.ledger(Trial.APP)).isRead()).isTrue(); // its own chain
    assertThat(blueprint.everyTopic())
        .filteredOn(TopicRequirement::outside)
        .extracting(TopicRequirement::topic)
        .containsExactly(Names.ledger(Trial.APP), Names.snapshots(Trial.APP));
  }

  @Test
  void givesEveryTopicItsNumberOfPartitions() {
    Deployment direct = of(Layout.DIRECT);
    assertThat(need(direct, Names.ledger(Trial.APP)).partitions()).isEqualTo(Count.AS_EVENTS);
    assertThat(need(direct, "trial-heads-changelog").partitions()).isEqualTo(Count.AS_EVENTS);
    Deployment ordered = of(Layout.ORDERED);
    assertThat(need(ordered, Names.order(Trial.APP)).partitions()).isEqualTo(Count.ONE);
    assertThat(need(ordered, Names.order(Trial.APP)).writers()).containsExactly(Party.ANNOUNCER);
    assertThat(need(ordered, "trial-heads-changelog").partitions()).isEqualTo(Count.ONE);
  }

  @Test
  void keepsNothingOfAnOrderThatTheLogsDoNotTell() {
    assertThat(of(Layout.ORDERED).derivable())
        .extracting(TopicRequirement::topic)
        .containsExactly("trial-heads-changelog", "trial-learner-changelog");
  }

  @Test
  void takesMoreWhereMoreIsAsGood() {
    TopicRequirement snapshots = need(of(Layout.DIRECT), Names.snapshots(Trial.APP));
    assertThat(snapshots.isMet("max.message.bytes", "2000000")).isTrue();
    assertThat(snapshots.isMet("max.message.bytes", "1000000")).isFalse();
    assertThat(snapshots.isMet("cleanup.policy", "compact,delete")).isFalse();
    assertThat(snapshots.isMet("segment.ms", "1")).isTrue();
    assertThat(snapshots.isMet(3, 3)).isTrue();
    assertThat(snapshots.isMet(2, 3)).isFalse();
    assertThat(List.of(Count.ANY.of(3), Count.ONE.of(3))).containsExactly(3, 1);
  }
}
