package dev.sotto.app.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.client.MadeVersion;
import dev.sotto.client.ModelHealth;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelServerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final List<String> CLASSES = List.of("red", "green", "blue");

  /** A version that a test puts in place. */
  private static final class Place implements ServedModel {
    private volatile ScoringModel model;

    @Override
    public Optional<ScoringModel> current() {
      return Optional.ofNullable(model);
    }

    @Override
    public Optional<Duration> age() {
      return Optional.of(Duration.ofSeconds(7));
    }

    @Override
    public ModelHealth health() {
      return model == null
          ? new ModelHealth(ModelHealth.State.WAITING, "there is no version yet")
          : new ModelHealth(ModelHealth.State.CURRENT, "in place");
    }
  }

  private final Place place = new Place();
  private ModelServer server;

  private static ScoringModel version(long version, String loss, LabelRule label) {
    String features = FeatureMap.builder()
            .numeric("a", "a", 0, 1, Transform.IDENTITY, false)
            .numeric("b", "car.b", -5, 5, Transform.IDENTITY, true)
            .hashBits(3)
            .categorical("city", "city", true)
            .label("label", label)
            .build()
            .describe()
        + "events json\nmax-bytes 1000\n";
    int inputs = FeatureMapText.parse(features).scoringMap().dimension();
    int outputs = loss.equals("softmax(3)") ? 3 : 1;
    double[] weights = Seed.random(version).doubles(inputs * outputs, -2, 2).toArray();
    MadeVersion made = MadeVersion.of("a/model", version, weights, features, loss);
    return ScoringModel.of(new PublishedModel(made.manifest(), made.weights()));
  }

  private static ScoringModel binary(long version) {
    return version(version, "logistic", new LabelRule.AsItIs());
  }

  private void serve(Optional<String> token, int most) {
    server = ModelServer.start(
        new ServeSettings(
            "127.0.0.1",
            0,
            token,
            Optional.empty(),
            new ServeSettings.Limits(most, 8, 100, 1),
            List.of()),
        place,
        Optional.of("champion"),
        "1.2.3");
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private HttpResponse<String> ask(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.address() + path))
        .method(
            method,
            body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static double predicted(ScoringModel model, String event) {
    Scorer scorer = model.scorer();
    scorer.score(event.getBytes(StandardCharsets.UTF_8));
    return scorer.value();
  }

  @Test
  void scoresAnEventAndSaysByWhichVersion() throws Exception {
    place.model = binary(3);
    serve(Optional.empty(), 4000);
    String event = "{\"a\":0.25,\"car\":{\"b\":2},\"city\":\"Ulm\"}";
    HttpResponse<String> answer = ask("POST", "/score", event);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(JSON.readTree(answer.body()).get("prediction").doubleValue())
        .isEqualTo(predicted(place.model, event));
    assertThat(answer.headers().firstValue("Sotto-Version")).contains("3");
    assertThat(answer.headers().firstValue("Sotto-Model")).contains("a/model");
    assertThat(answer.headers().firstValue("Sotto-Epsilon"))
        .contains(Double.toString(place.model.guarantee().epsilon()));
    assertThat(answer.headers().firstValue("Sotto-Age-Seconds")).contains("7");
    assertThat(answer.headers().firstValue("Sotto-Absent-Fields")).isEmpty();

    place.model = binary(4);
    HttpResponse<String> next = ask("POST", "/score", event);
    assertThat(next.headers().firstValue("Sotto-Version")).contains("4");
    assertThat(JSON.readTree(next.body()).get("prediction").doubleValue())
        .isEqualTo(predicted(place.model, event));
  }

  @Test
  void anEventOfAListThatCannotBeScoredDoesNotSpoilTheOthers() throws Exception {
    place.model = binary(3);
    serve(Optional.empty(), 4000);
    String list = " [{\"a\":0.5}, {\"a\":\"ä\"},{}, {\"a\":1,\"city\":\"Köln, [x]\"}]";
    HttpResponse<String> answer = ask("POST", "/score", list);
    JsonNode all = JSON.readTree(answer.body());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(all).hasSize(4);
    assertThat(all.get(1).get("unusable").textValue()).isEqualTo("WRONG_TYPE");
    assertThat(all.get(2).get("unusable").textValue()).isEqualTo("MISSING_FIELD");
    assertThat(all.get(2).get("field").textValue())
        .isEqualTo("field \"a\" must be a number, but is missing");
    assertThat(answer.headers().firstValue("Sotto-Absent-Fields")).contains("car.b");
    assertThat(all.get(3).get("prediction").doubleValue())
        .isEqualTo(predicted(place.model, "{\"a\":1,\"city\":\"Köln, [x]\"}"));
    assertThat(ask("GET", "/metrics", null).body())
        .contains("sotto_serve_predictions_total 2.0", "sotto_serve_unusable_total 2.0");
  }

  @Test
  void tensorsOfFieldsAndOfVectorsAreThoseOfEvents() throws Exception {
    place.model = binary(3);
    serve(Optional.empty(), 4000);
    String fields = """
        {"id":"r1","inputs":[
          {"name":"a","datatype":"FP64","shape":[2,1],"data":[[0.25],[1]]},
          {"name":"car.b","datatype":"INT64","shape":[2],"data":[2,null]},
          {"name":"city","datatype":"BYTES","shape":[2],"data":["Ulm","Bonn"]}]}""";
    HttpResponse<String> answer = ask("POST", "/v2/models/a/model/versions/3/infer", fields);
    JsonNode body = JSON.readTree(answer.body());
    assertThat(body.get("id").textValue()).isEqualTo("r1");
    assertThat(body.get("model_version").textValue()).isEqualTo("3");
    JsonNode data = body.at("/outputs/0/data");
    assertThat(data.get(0).doubleValue())
        .isEqualTo(predicted(place.model, "{\"a\":0.25,\"car\":{\"b\":2},\"city\":\"Ulm\"}"));
    assertThat(data.get(1).doubleValue())
        .isEqualTo(predicted(place.model, "{\"a\":1,\"city\":\"Bonn\"}"));

    int inputs = place.model.inputs();
    double[] vector = new double[inputs];
    vector[1] = 0.5;
    String vectors = "{\"inputs\":[{\"name\":\"features\",\"datatype\":\"FP64\",\"shape\":[1,"
        + inputs + "],\"data\":" + JSON.writeValueAsString(vector) + "}]}";
    JsonNode ofVector =
        JSON.readTree(ask("POST", "/v2/models/champion/infer", vectors).body());
    assertThat(ofVector.get("model_name").textValue()).isEqualTo("champion");
    assertThat(ofVector.at("/outputs/0/data/0").doubleValue())
        .isEqualTo(place.model.scorer().score(vector));
  }

  @Test
  void classesHaveNamesAndProbabilities() throws Exception {
    place.model = version(9, "softmax(3)", new LabelRule.Names(CLASSES));
    serve(Optional.empty(), 4000);
    String request = "{\"inputs\":[{\"name\":\"a\",\"datatype\":\"FP32\",\"shape\":[1],"
        + "\"data\":[0.5]}],\"outputs\":[{\"name\":\"prediction\"}]}";
    JsonNode body =
        JSON.readTree(ask("POST", "/v2/models/a/model/infer", request).body());
    Scorer scorer = place.model.scorer();
    scorer.score(Map.of("a", 0.5));
    assertThat(body.get("outputs")).hasSize(1);
    assertThat(body.at("/outputs/0/data/0").textValue()).isEqualTo(CLASSES.get(scorer.likeliest()));
    JsonNode about = JSON.readTree(ask("GET", "/v2/models/a/model", null).body());
    assertThat(about.at("/outputs/1/shape").toString()).isEqualTo("[-1,3]");
    assertThat(about.at("/inputs/0/datatype").textValue()).isEqualTo("FP64");
    assertThat(about.at("/parameters/epsilon").doubleValue())
        .isEqualTo(place.model.guarantee().epsilon());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "/score | 7 | 400 | a JSON object",
        "/score | {\"a\":tru | 422 | UNREADABLE",
        "/score | [{\"a\":1} | 400 | must be JSON",
        "/score | [{\"a\":1},7] | 400 | element 1",
        "/score | [{\"a\":1}] 7 | 400 | end after the list",
        "/v2/models/other/infer | {} | 404 | a/model",
        "/v2/models/a/model/versions/2/infer | {} | 404 | version 3 is in place",
        "/v2/models/a/model/infer | {} | 400 | inputs must be a list",
        "/v2/models/a/model/infer | {\"inputs\":[{\"name\":\"z\"}]} | 400 | one of [a, car.b, city]",
        "/v2/models/a/model/infer | {\"inputs\":[{\"name\":\"a\",\"datatype\":\"FP64\","
            + "\"shape\":[2],\"data\":[1]}]} | 400 | has the shape [2] and 1 values",
        "/v2/models/a/model/infer | {\"inputs\":[{\"name\":\"a\",\"datatype\":\"INT8\","
            + "\"shape\":[1],\"data\":[0.5]}]} | 400 | whole numbers",
        "/v2/models/a/model/infer | {\"inputs\":[{\"name\":\"a\",\"datatype\":\"FP64\","
            + "\"shape\":[2],\"data\":[0.5,null]}]} | 400 | row 1 cannot be scored",
        "/v2/models/a/model/infer | {\"inputs\":[{\"name\":\"features\",\"datatype\":\"FP64\","
            + "\"shape\":[1,2],\"data\":[0.5,1]}]} | 400 | [rows, ",
        "/elsewhere | {} | 404 | the paths are",
      })
  void wrongRequestsAreToldWhatIsWrong(String path, String body, int code, String words)
      throws Exception {
    place.model = binary(3);
    serve(Optional.empty(), 4000);
    HttpResponse<String> answer = ask("POST", path, body);
    assertThat(answer.body()).contains(words);
    assertThat(answer.statusCode()).isEqualTo(code);
  }

  @Test
  void boundsAndMethodsAreKept() throws Exception {
    place.model = binary(3);
    serve(Optional.empty(), 100);
    assertThat(ask("POST", "/score", "[" + " ".repeat(200) + "]").statusCode()).isEqualTo(413);
    assertThat(ask("POST", "/score", "{\"a\":1}").statusCode()).isEqualTo(200);
    assertThat(ask("GET", "/score", null).headers().firstValue("Allow")).contains("POST");
    assertThat(ask("POST", "/v2", "{}").statusCode()).isEqualTo(405);
    assertThat(JSON.readTree(ask("GET", "/v2", null).body()).get("version").textValue())
        .isEqualTo("1.2.3");
    assertThatThrownBy(() -> ModelServer.start(
            new ServeSettings(
                "127.0.0.1",
                URI.create(server.address()).getPort(),
                Optional.empty(),
                Optional.empty(),
                ServeSettings.Limits.USUAL,
                List.of()),
            place,
            Optional.empty(),
            "1"))
        .isInstanceOfSatisfying(
            SottoException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.LISTEN));
  }

  /** Nine events where eight are the most, and a body that never comes whole. */
  @Test
  void manyEventsAndSlowBodiesHoldNobodyUp() throws Exception {
    place.model = binary(3);
    serve(Optional.empty(), 4000);
    String nine = "[" + "{\"a\":1},".repeat(8) + "{\"a\":1}]";
    HttpResponse<String> many = ask("POST", "/score", nine);
    assertThat(many.statusCode()).isEqualTo(413);
    assertThat(many.body()).contains("at most 8 events");
    URI where = URI.create(server.address());
    try (Socket slow = new Socket(where.getHost(), where.getPort())) {
      slow.getOutputStream()
          .write("POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
              .getBytes(StandardCharsets.UTF_8));
      assertThat(ask("POST", "/score", "{\"a\":1}").statusCode()).isEqualTo(200);
      assertThat(slow.getInputStream().readAllBytes()).isEmpty(); // closed after a second
    }
    assertThat(ask("GET", "/metrics", null).body()).contains("_count{code=\"408\"} 1");
  }

  /** A length that is not known beforehand, and bytes that are no JSON yet. */
  @Test
  void bodiesInChunksHaveTheSameBoundAndPackedOnesAreRefused() throws Exception {
    place.model = binary(3);
    serve(Optional.empty(), 100);
    for (int spaces : List.of(10, 200)) {
      byte[] body = ("{\"a\":1" + " ".repeat(spaces) + "}").getBytes(StandardCharsets.UTF_8);
      HttpResponse<String> answer = CLIENT.send(
          HttpRequest.newBuilder(URI.create(server.address() + "/score"))
              .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
              .build(),
          HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(spaces == 10 ? 200 : 413);
      assertThat(answer.body()).contains(spaces == 10 ? "prediction" : "at most 100 bytes");
    }
    HttpResponse<String> packed = ask("POST", "/score", "{}", "Content-Encoding", "gzip");
    assertThat(packed.statusCode()).isEqualTo(415);
    assertThat(packed.body()).contains("Content-Encoding must be left out");
    URI where = URI.create(server.address());
    try (Socket broken = new Socket(where.getHost(), where.getPort())) {
      broken
          .getOutputStream()
          .write(
              "POST /score HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"
                  .getBytes(StandardCharsets.UTF_8));
      assertThat(broken.getInputStream().readAllBytes()).isEmpty();
    }
    assertThat(ask("GET", "/metrics", null).body())
        .contains("_count{code=\"400\"} 1", "_count{code=\"413\"} 1");
  }

  @Test
  void requestsShareTheMemoryThatThereIs() throws Exception {
    RequestMemory memory = new RequestMemory(100);
    RequestMemory.Lease first = memory.new Lease();
    RequestMemory.Lease second = memory.new Lease();
    first.cover(60);
    first.cover(50); // less than it has
    second.cover(40);
    assertThatThrownBy(() -> second.cover(41))
        .isInstanceOfSatisfying(
            BadRequestException.class, e -> assertThat(e.code()).isEqualTo(503));
    first.release();
    first.release();
    second.cover(100);
    assertThatThrownBy(() -> first.cover(1)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void withoutAVersionItIsAliveButNotReady() throws Exception {
    serve(Optional.empty(), 4000);
    assertThat(ask("GET", "/v2/health/live", null).statusCode()).isEqualTo(200);
    assertThat(ask("GET", "/v2/health/ready", null).statusCode()).isEqualTo(503);
    HttpResponse<String> none = ask("POST", "/score", "{\"a\":1}");
    assertThat(none.statusCode()).isEqualTo(503);
    assertThat(none.headers().firstValue("Retry-After")).isPresent();
    assertThat(none.body()).contains("there is no version yet");
    place.model = binary(3);
    assertThat(ask("GET", "/v2/health/ready", null).statusCode()).isEqualTo(200);
    assertThat(ask("GET", "/v2/models/a/model/ready", null).body()).contains("\"ready\":true");
  }

  @Test
  void whoHasNoTokenIsRefusedButProbesAreNot() throws Exception {
    place.model = binary(3);
    serve(Optional.of("s3cret"), 4000);
    assertThat(ask("POST", "/score", "{\"a\":1}").statusCode()).isEqualTo(401);
    assertThat(
            ask("POST", "/score", "{\"a\":1}", "Authorization", "Bearer s3cre").statusCode())
        .isEqualTo(401);
    assertThat(
            ask("POST", "/score", "{\"a\":1}", "Authorization", "Bearer s3cret").statusCode())
        .isEqualTo(200);
    assertThat(ask("GET", "/metrics", null).statusCode()).isEqualTo(401);
    assertThat(ask("GET", "/v2/health/ready", null).statusCode()).isEqualTo(200);
  }
}
