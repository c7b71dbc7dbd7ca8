"""The options in the files of deploy/ are valid, and the files are run if the programs are installed.

``schemas.json.gz`` holds the schemas of the Compose Specification and of four kinds of Kubernetes 1.33 (both under the
Apache License 2.0), without their descriptions.
"""

import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import tomllib
from contextlib import suppress
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import jsonschema
import pytest
import yaml
from packaging.requirements import Requirement

from parlour.cli.serve_command import serve
from parlour.server.http.access.proxies import Proxies
from parlour.server.process.settings import Settings
from tests.server.card_room import PATIENCE, CardRoom, Player, free_port, wait_until

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SCHEMAS = json.loads(gzip.decompress(Path(__file__).with_name("schemas.json.gz").read_bytes()))
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
HAPROXY = shutil.which("haproxy")
needs_haproxy = pytest.mark.skipif(HAPROXY is None, reason="there is no HAProxy here (apt install haproxy)")


def settings_of(words):
    """Return the settings of ``parlour serve`` in a command of one of the files."""
    assert words[0] == "serve"
    settings = Settings(**serve.make_context("serve", list(words[1:])).params)
    Proxies(settings.behind_proxy)
    return settings


def instructions():
    """Return the instructions of the Containerfile with their arguments."""
    text = re.sub(r"\\\n", " ", (DEPLOY / "Containerfile").read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines)]


def last(name):
    return [rest for each, rest in instructions() if each == name][-1]


class TestTheContainer:
    def test_is_run_by_an_ordinary_user(self):
        assert last("USER") == "10001:10001"

    def test_copies_existing_files_that_are_not_ignored(self):
        ignored = (ROOT / ".dockerignore").read_text().split()
        assert ignored[0] == "*"
        copied = [rest.split()[:-1] for name, rest in instructions() if name == "COPY" and "--from" not in rest]
        for path in (word for words in copied for word in words if not word.startswith("--")):
            assert (ROOT / path).exists(), path
            assert any(fnmatch(path, f"{each[1:]}*") for each in ignored[1:] if each.startswith("!")), path

    def test_opens_a_room_that_others_reach(self):
        settings = settings_of(json.loads(last("CMD")))
        assert (settings.host, str(settings.port)) == ("0.0.0.0", last("EXPOSE").split()[0])

    def test_has_a_health_check(self, card_room):
        command = json.loads(last("HEALTHCHECK").partition("CMD ")[2])
        program = [sys.executable, *command[1:]]
        asked = [word.replace(":8080", f":{card_room.port}") for word in program]
        assert subprocess.run(asked, capture_output=True, timeout=PATIENCE).returncode == 0
        elsewhere = [word.replace(":8080", f":{free_port()}") for word in program]
        assert subprocess.run(elsewhere, capture_output=True, timeout=PATIENCE).returncode == 1

    def test_has_machine_code_from_its_build_in_a_writable_cache(self, tmp_path):
        built, cache, programs = (tmp_path / name for name in ("built", "cache", "programs"))
        for folder in (built / "0123", cache / "0123", programs):
            folder.mkdir(parents=True, mode=0o700)
        (built / "0123" / "code").write_text("from the build")
        (built / "0123" / "index").write_text("from the build")
        (cache / "0123" / "index").write_text("written since")
        (programs / "parlour").write_text('#!/bin/sh\necho "parlour $*"\n')
        (programs / "parlour").chmod(0o755)
        paths = {"PARLOUR_COMPILED": str(built), "PARLOUR_CACHE": str(cache)}
        path = {"PATH": f"{programs}:{os.environ['PATH']}"}
        done = subprocess.run(
            [DEPLOY / "start", "serve", "--port", "80"], env=paths | path, capture_output=True, text=True, check=True
        )
        assert done.stdout == "parlour serve --port 80\n"
        assert {file.name: file.read_text() for file in (cache / "0123").iterdir()} == {
            "code": "from the build",
            "index": "written since",
        }

    def test_has_folders_that_are_its_users_alone(self):
        made = next(rest for name, rest in instructions() if name == "RUN" and "install -d" in rest)
        assert "install -d -m 0700 -o 10001 -g 10001 /var/lib/parlour /var/cache/parlour" in made
        environment = last("ENV")
        assert {"PARLOUR_CACHE=/var/cache/parlour", "PARLOUR_COMPILED=/opt/parlour/compiled"} <= set(
            environment.split()
        )


class TestCompose:
    @pytest.fixture
    def compose(self):
        return yaml.safe_load((DEPLOY / "compose.yaml").read_text())

    @pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no repository")
    def test_the_file_with_the_password_is_neither_committed_nor_sent_to_the_builder(self):
        assert subprocess.run(["git", "check-ignore", "-q", "deploy/.env"], cwd=ROOT, check=False).returncode == 0
        assert (ROOT / ".dockerignore").read_text().splitlines().index("deploy/.env") > 0

    def test_conforms_to_the_specification(self, compose):
        jsonschema.Draft7Validator(SCHEMAS["compose"]).validate(compose)

    def test_opens_two_rooms_that_believe_the_balancer(self, compose):
        room = compose["services"]["room"]
        words = [re.sub(r"\$\{\w+:-(\w+)\}", r"\1", word) for word in room["command"]]
        settings = settings_of(words)
        (inner,) = compose["networks"]["inner"]["ipam"]["config"]
        assert settings.behind_proxy == (inner["subnet"],)
        assert room["deploy"]["replicas"] == 2
        assert f":{settings.port}" in (DEPLOY / "haproxy.cfg").read_text()

    @pytest.mark.parametrize("service", ["room", "balancer"])
    def test_lets_nothing_write_or_gain_rights(self, compose, service):
        document = compose["services"][service]
        assert (document["read_only"], document["cap_drop"]) == (True, ["ALL"])
        assert document["security_opt"] == ["no-new-privileges:true"]

    def test_mounts_existing_files(self, compose):
        file = compose["services"]["balancer"]["volumes"][0].partition(":")[0]
        assert (DEPLOY / file).is_file()


def resources(text):
    return [resource for resource in yaml.safe_load_all(text) if resource]


def containers(resource):
    spec = resource["spec"]["template"]["spec"]
    return [*spec.get("initContainers", []), *spec["containers"]]


class TestKubernetes:
    @pytest.fixture
    def manifests(self):
        return [resource for path in MANIFESTS for resource in resources(path.read_text())]

    def resource_named(self, found, kind, name):
        return next(each for each in found if (each["kind"], each["metadata"]["name"]) == (kind, name))

    def validate(self, resource):
        document = SCHEMAS["kubernetes"]
        schema = {"$ref": f"#/$defs/{document['kinds'][resource['kind']]}", "$defs": document["$defs"]}
        jsonschema.Draft202012Validator(schema).validate(resource)

    def test_every_manifest_conforms_to_its_schema(self, manifests):
        for resource in manifests:
            self.validate(resource)

    def test_a_misspelt_key_violates_the_schema(self, manifests):
        resource = json.loads(json.dumps(self.resource_named(manifests, "Deployment", "room")))
        resource["spec"]["template"]["spec"]["containers"][0]["readinesProbe"] = {}
        with pytest.raises(jsonschema.ValidationError, match="readinesProbe"):
            self.validate(resource)

    def test_every_container_runs_as_an_ordinary_user_without_rights(self, manifests):
        deployments = [resource for resource in manifests if resource["kind"] == "Deployment"]
        assert len(deployments) == 2
        for deployment in deployments:
            spec = deployment["spec"]["template"]["spec"]
            assert spec["securityContext"]["runAsNonRoot"]
            for container in containers(deployment):
                locked = container["securityContext"]
                assert locked["readOnlyRootFilesystem"]
                assert not locked["allowPrivilegeEscalation"]
                assert locked["capabilities"] == {"drop": ["ALL"]}

    def test_probes_use_addresses_of_the_room(self, manifests, card_room):
        (room,) = self.resource_named(manifests, "Deployment", "room")["spec"]["template"]["spec"]["containers"]
        paths = {kind: room[kind]["httpGet"]["path"] for kind in ("startupProbe", "readinessProbe", "livenessProbe")}
        assert paths == {"startupProbe": "/readyz", "readinessProbe": "/readyz", "livenessProbe": "/healthz"}
        for path in set(paths.values()):
            assert card_room.http.get(path, headers={"Host": "10.1.2.3:8080"}).status_code == 200

    def test_rooms_start_with_valid_options(self, manifests):
        (room,) = self.resource_named(manifests, "Deployment", "room")["spec"]["template"]["spec"]["containers"]
        values = {"PARLOUR_NAME": "cards.example", "PARLOUR_PROXIES": "10.0.0.0/8"}
        settings = settings_of([re.sub(r"\$\((\w+)\)", lambda name: values[name[1]], word) for word in room["args"]])
        ports = {port["name"]: port["containerPort"] for port in room["ports"]}
        assert (settings.port, settings.metrics_port) == (ports["http"], ports["metrics"])
        assert {each["name"] for each in room["env"]} == {*values, "PARLOUR_DATABASE"}

    def test_every_service_and_disruption_budget_selects_a_deployment(self, manifests):
        for kind in ("Service", "PodDisruptionBudget"):
            for each in (resource for resource in manifests if resource["kind"] == kind):
                selector = each["spec"]["selector"]
                wanted = selector.get("matchLabels", selector)
                assert any(
                    wanted.items() <= resource["spec"]["template"]["metadata"]["labels"].items()
                    for resource in manifests
                    if resource["kind"] == "Deployment"
                ), each["metadata"]["name"]

    def test_only_the_balancer_reaches_a_room_and_is_trusted(self, manifests):
        spec = self.resource_named(manifests, "NetworkPolicy", "room")["spec"]
        template = self.resource_named(manifests, "Deployment", "room")["spec"]["template"]
        assert spec["podSelector"]["matchLabels"].items() <= template["metadata"]["labels"].items()
        ports = {port["name"]: port["containerPort"] for port in template["spec"]["containers"][0]["ports"]}
        balancer = self.resource_named(manifests, "Deployment", "balancer")["spec"]["template"]["metadata"]["labels"]
        (sources,) = [rule["from"] for rule in spec["ingress"] if {"protocol": "TCP", "port": "http"} in rule["ports"]]
        assert [source["podSelector"]["matchLabels"] for source in sources] == [balancer]
        assert {port["port"] for rule in spec["ingress"] for port in rule["ports"]} == set(ports)

    def test_the_kustomization_lists_every_manifest(self):
        document = yaml.safe_load((DEPLOY / "kustomization.yaml").read_text())
        assert sorted(document["resources"]) == [f"kubernetes/{path.name}" for path in MANIFESTS]

    def test_the_balancer_stops_sending_requests_before_a_room_ends(self, manifests):
        spec = self.resource_named(manifests, "Deployment", "room")["spec"]["template"]["spec"]
        (room,) = spec["containers"]
        program, seconds = room["lifecycle"]["preStop"]["exec"]["command"]
        probe = room["readinessProbe"]
        assert program == "sleep"
        assert float(seconds) >= probe["periodSeconds"] * probe["failureThreshold"]
        assert spec["terminationGracePeriodSeconds"] > float(seconds) + 30

    @pytest.mark.skipif(shutil.which("kubectl") is None, reason="there is no kubectl here")
    def test_kustomize_builds_it(self):
        done = subprocess.run(
            ["kubectl", "kustomize", str(DEPLOY)], capture_output=True, text=True, timeout=PATIENCE, check=True
        )
        made = resources(done.stdout)
        (configuration,) = [each for each in made if each["metadata"]["name"].startswith("haproxy-")]
        assert configuration["data"]["haproxy.cfg"] == (DEPLOY / "haproxy.cfg").read_text()
        volumes = self.resource_named(made, "Deployment", "balancer")["spec"]["template"]["spec"]["volumes"]
        assert volumes[0]["configMap"]["name"] == configuration["metadata"]["name"]


class Room(ThreadingHTTPServer):
    """A server that answers with its name and the client's address, and can be set to not ready."""

    def __init__(self, name):
        super().__init__(("127.0.0.1", 0), Answering)
        self.name, self.ready = name, True
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Ignore a client that has disconnected."""


class Answering(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"room": self.server.name, "for": self.headers.get_all("X-Forwarded-For")}).encode()
        self.send_response(200 if self.server.ready or self.path != "/readyz" else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def is_ready(port):
    """Return whether a balancer answers and has a room that is ready."""
    with suppress(httpx.TransportError):
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=PATIENCE).status_code == 200


@needs_haproxy
class TestTheBalancer:
    @pytest.fixture
    def start_balancer(self, tmp_path):
        """Return a function that starts HAProxy as configured for rooms at these ports, and returns its port."""
        running = []

        def start(*ports):
            port, text = free_port(), (DEPLOY / "haproxy.cfg").read_text()
            rooms = "\n".join(f"    server room{number} 127.0.0.1:{each}" for number, each in enumerate(ports))
            text = re.sub(r"    server-template .*", rooms, text).replace("inter 1s", "inter 500ms")
            file = tmp_path / "haproxy.cfg"
            text = text.replace("maxconn 8000", "maxconn 100").replace("bind :8080", f"bind 127.0.0.1:{port}")
            file.write_text(text)
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            running.append(subprocess.Popen([HAPROXY, "-f", file], **quiet))
            wait_until(lambda: running[-1].poll() is not None or is_ready(port))
            assert running[-1].poll() is None
            return port

        yield start
        for process in running:
            process.kill()
            process.wait()

    @pytest.fixture
    def rooms(self):
        opened = [Room("one"), Room("two")]
        yield opened
        for room in opened:
            room.shutdown()
            room.server_close()

    def ask(self, port, path, **headers):
        answer = httpx.get(f"http://127.0.0.1:{port}{path}", headers=headers, timeout=PATIENCE)
        assert answer.status_code == 200
        return answer.json()

    def test_its_configuration_is_valid(self):
        done = subprocess.run(
            [HAPROXY, "-c", "-f", DEPLOY / "haproxy.cfg"], capture_output=True, text=True, timeout=PATIENCE
        )
        assert (done.returncode, "WARNING" in done.stderr) == (0, False), done.stderr

    def test_requests_for_one_table_go_to_one_room_and_tables_are_spread_over_both(self, start_balancer, rooms):
        port = start_balancer(*(room.server_port for room in rooms))
        homes = set()
        for number in range(12):
            table = f"k3x{number}"
            paths = (f"/api/tables/{table}", f"/api/tables/{table}/play?x=1", f"/game/{table}", f"/game/{table}/review")
            (home,) = {self.ask(port, path)["room"] for path in paths}
            homes.add(home)
        assert homes == {"one", "two"}

    def test_it_sets_the_header_with_the_clients_address_itself(self, start_balancer, rooms):
        port = start_balancer(rooms[0].server_port)
        assert self.ask(port, "/", **{"X-Forwarded-For": "6.6.6.6"})["for"] == ["127.0.0.1"]

    def test_a_room_gets_no_requests_while_it_is_not_ready(self, start_balancer, rooms):
        port = start_balancer(*(room.server_port for room in rooms))
        path = next(path for path in map("/game/{}".format, range(99)) if self.ask(port, path)["room"] == "one")
        rooms[0].ready = False
        wait_until(lambda: self.ask(port, path)["room"] == "two")
        rooms[0].ready = True
        wait_until(lambda: self.ask(port, path)["room"] == "one")

    def test_people_play_through_it(self, start_balancer, tmp_path):
        card_room = CardRoom(
            tmp_path / "tables.sqlite", Settings(limited=False, paced=False, behind_proxy=("localhost",))
        )
        try:
            port, table = start_balancer(card_room.port), card_room.open("you", "thumb")
            with Player(port, table["table"], table["key"]) as ann:
                ann.do(ann.until(lambda scene: scene["legal"])["legal"][0])
                ann.until(lambda scene: scene["seen"] > 3)
        finally:
            card_room.stop()


class TestSystemd:
    @pytest.fixture
    def unit(self, tmp_path):
        """Return the unit with the path of an existing program."""
        file = tmp_path / "parlour.service"
        file.write_text((DEPLOY / "parlour.service").read_text().replace("/opt/parlour/bin/parlour", "/bin/true"))
        return file

    def test_opens_a_room_behind_a_proxy_on_this_machine(self):
        line = re.search(r"^ExecStart=(.*)$", (DEPLOY / "parlour.service").read_text(), re.MULTILINE)[1]
        program, *words = shlex.split(line)
        assert program == "/opt/parlour/bin/parlour"
        assert settings_of(words).behind_proxy == ("localhost",)

    @pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze here")
    @pytest.mark.parametrize("asked", [["verify"], ["security", "--offline=true", "--threshold=20"]])
    def test_has_no_mistake_and_may_do_little(self, unit, asked):
        done = subprocess.run(["systemd-analyze", *asked, str(unit)], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr


class TestTheCommandsOfOperators:
    """docs/running.md shows how to run a command on the database of each installation."""

    @pytest.fixture
    def commands(self):
        """Return the documented commands, by their first words."""
        lines = (ROOT / "docs" / "running.md").read_text().splitlines()
        found = [
            shlex.split(line, comments=True) for line in lines if " parlour bans" in line or "parlour bans " in line
        ]
        return {words[0]: words[1:] for words in found if words[0] != "parlour"}

    def test_name_the_program_and_the_file_of_the_unit(self, commands):
        unit = (DEPLOY / "parlour.service").read_text()
        program, _, _, file = commands["sudo"]
        assert re.search(r"^ExecStart=(\S+)", unit, re.MULTILINE)[1] == program
        assert re.search(r"^Environment=PARLOUR_DATABASE=(.*)$", unit, re.MULTILINE)[1] == (
            file.replace("/var/lib", "%S", 1)
        )
        assert f"# Commands on its database: {shlex.join(['sudo', *commands['sudo']])}" in unit

    def test_name_a_service_of_compose_that_knows_its_database(self, commands):
        _, _, file, _, service, *_ = commands["docker"]
        services = yaml.safe_load((ROOT / file).read_text())["services"]
        assert "PARLOUR_DATABASE" in services[service]["environment"]

    def test_name_a_deployment_of_kubernetes_that_knows_its_database(self, commands):
        kind, name = commands["kubectl"][1].split("/")
        resources = [each for file in MANIFESTS for each in yaml.safe_load_all(file.read_text())]
        (found,) = (each for each in resources if each["kind"] == "Deployment" and each["metadata"]["name"] == name)
        first = found["spec"]["template"]["spec"]["containers"][0]  # the one in which kubectl runs a command
        assert kind == "deploy"
        assert "PARLOUR_DATABASE" in [each["name"] for each in first["env"]]

    def test_the_unit_is_installed_with_both_kinds_of_database(self):
        install = (DEPLOY / "parlour.service").read_text().splitlines()[0]
        assert "postgresql" in re.search(r"'\.\[(.*)\]'", install)[1].split(",")


class TestTheConstraints:
    def test_they_pin_a_fitting_version_of_every_requirement(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        lines = (DEPLOY / "constraints.txt").read_text().splitlines()
        pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
        extras = project["optional-dependencies"]
        wanted_by_all = (*project["dependencies"], *extras["server"], *extras["postgresql"], *extras["push"])
        for text in (each for each in wanted_by_all if not each.startswith("parlour[")):
            wanted = Requirement(text)
            assert wanted.specifier.contains(pinned[wanted.name]), text
