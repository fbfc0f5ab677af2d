package dev.sotto.topology.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.Objective;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.ForwardingDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.LabelTally;
import dev.sotto.serdes.registry.RecordPlace;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What stands around a decoder of events keeps all that it can tell and must be told. */
class ForwardingDecoderTest {
  private final List<RecordPlace> places = new ArrayList<>();
  private final EventDecoder json = new JsonEventDecoder(FeatureMap.builder()
      .categorical("c", "c", false)
      .label("y", new LabelRule.AsItIs())
      .build());

  private final class Placed extends ForwardingDecoder {
    Placed() {
      super(json);
    }

    @Override
    public void placedBy(RecordPlace place) {
      places.add(place);
    }
  }

  @Test
  void tellsTheDecoderWithinWhereRecordsStandAndWhatItFound() {
    EventDecoder own = new Placed();
    EventDecoder all =
        new LoggingDecoder(WatchedLabels.of(own.admittedBy(Objective.of(new Logistic()))));
    all.placedBy(RecordPlace.NONE);
    assertThat(places).containsExactly(RecordPlace.NONE);
    byte[] event = "{\"y\":\"maybe\",\"c\":1}".getBytes(StandardCharsets.UTF_8);
    RecordStatus status = all.decode(null, event, new Slot(all.dimension()));
    assertThat(all.fault(status).orElseThrow()).startsWith("field \"y\" must be a number");
    Optional<LabelTally> labels = all.labels();
    assertThat(labels.orElseThrow().faults()).hasSize(1);
  }

  @Test
  void forwardsEveryMethodOfADecoder() throws NoSuchMethodException {
    List<Method> methods = Arrays.stream(EventDecoder.class.getDeclaredMethods())
        .filter(each -> !each.isSynthetic() && !each.getName().equals("admittedBy"))
        .toList();
    assertThat(methods).hasSizeGreaterThan(4);
    for (Method each : methods) {
      assertThat(
              ForwardingDecoder.class.getDeclaredMethod(each.getName(), each.getParameterTypes()))
          .isNotNull();
    }
  }
}
